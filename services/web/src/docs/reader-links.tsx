import { session } from '../shared/api/session.ts';
import { PageLinks } from '../shared/page.tsx';

/** The links of the header: to the reader's account, if somebody is signed in. */
export function ReaderLinks() {
  if (session.value) return <PageLinks />;
  return (
    <>
      <a href="/docs">Documentation</a>
      <a href="/developers">Developers</a>
      <a href="/account">Account</a>
    </>
  );
}
