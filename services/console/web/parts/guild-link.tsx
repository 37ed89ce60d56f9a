import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { IdLink } from './id-link.tsx';

/** A link to a guild by its name; without one, by its ID. */
export function GuildLink(props: {
  id: string;
  name: string | null | undefined;
  /** Whether the ID stands after the name. */
  showsId?: boolean;
}) {
  const { id, name, showsId = false } = props;
  if (!name) return <IdLink kind="guild" id={id} />;
  return (
    <>
      <IdLink kind="guild" id={id}>
        <Name text={name} isOneLine />
      </IdLink>
      {showsId && (
        <>
          {' '}
          · <code>{id}</code>
        </>
      )}
    </>
  );
}
