import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { IdLink } from './id-link.tsx';

/** An account beside its ID, as the console's API names it. */
export type NamedAccount = Pick<
  AdminAccount,
  'username' | 'bot' | 'suspension' | 'owner_id' | 'owner_username' | 'owner_suspension'
>;

/** A link to an account by its name, and whose bot it is: "Ticker (bot of quentin2)". Without a name: by its ID. */
export function AccountLink(props: {
  id: string | null | undefined;
  account: NamedAccount | null | undefined;
  /** Whether the ID stands after the name. */
  showsId?: boolean;
}) {
  const { id, account, showsId = false } = props;
  if (!id || !account) return <IdLink kind="account" id={id} />;
  const { username, owner_id, owner_username } = account;
  return (
    <>
      <IdLink kind="account" id={id}>
        <Name text={username} isOneLine />
      </IdLink>
      {showsId && (
        <>
          {' '}
          · <code>{id}</code>
        </>
      )}
      {owner_id && (
        <>
          {' '}
          (bot of{' '}
          <IdLink kind="account" id={owner_id}>
            {owner_username && <bdi>{owner_username}</bdi>}
          </IdLink>
          )
        </>
      )}
    </>
  );
}
