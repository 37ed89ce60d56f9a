import { Fragment } from 'preact';

/** An identity of a limit, such as "account:123". It is broken after a colon rather than within a number. */
export function IdentityText({ identity }: { identity: string }) {
  const parts = identity.split(/(?<=:)/);
  return parts.map((part, index) => (
    <Fragment key={String(index)}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
