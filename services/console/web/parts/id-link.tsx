import type { ComponentChildren } from 'preact';
import { hrefOf, type LinkedKind } from './hrefs.ts';
import { IdentityText } from './identity-text.tsx';

/** A link to the page of a thing. Its text is the name, or the ID; a dash if there is none. */
export function IdLink(props: {
  kind: LinkedKind;
  id: string | null | undefined;
  children?: ComponentChildren;
}) {
  const { kind, id, children } = props;
  if (!id) return <>–</>;
  return (
    <a href={hrefOf(kind, id)} class="id-link">
      {children ?? <code>{kind === 'identity' ? <IdentityText identity={id} /> : id}</code>}
    </a>
  );
}
