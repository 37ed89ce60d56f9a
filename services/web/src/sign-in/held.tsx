import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { ActionButton, Notice } from '../shared/ui.tsx';
import type { HeldLogin, Way } from './steps.ts';
import { useElapsed } from './use-elapsed.ts';
import { useReleased } from './use-released.ts';

/** Waits until the link in the mail is opened, on any device. */
export function Held({ way, login }: { way: Way; login: HeldLogin }) {
  const { ticket, email, resend_in_seconds } = login;
  useReleased(ticket, {
    released: way.finish,
    ended: () => way.go({ name: 'password', notice: 'That login has ended. Sign in again.' }),
  });
  return (
    <>
      <p role="status">
        You have not signed in from this place before. To make sure that it is you, a mail with a link was
        sent to <strong>{email}</strong>. Open the link, on any device, and keep this page open: it continues
        by itself. Or{' '}
        <a href="/authorize-ip" target="_blank" rel="noopener">
          enter the code
        </a>{' '}
        that the mail has.
      </p>
      <p class="quiet">The link works for 15 minutes. If the mail does not come, look among unwanted mail.</p>
      <Resend ticket={ticket} in_seconds={resend_in_seconds} />
      <p class="actions links">
        <button type="button" class="plain" onClick={() => way.go({ name: 'password' })}>
          Back to sign in
        </button>
      </p>
    </>
  );
}

/** The server sends it again once, after a delay. */
function Resend({ ticket, in_seconds }: { ticket: string; in_seconds: number }) {
  const [isSent, setSent] = useState(false);
  const isTime = useElapsed(in_seconds);
  const action = useAction(async () => {
    await call('POST', '/auth/ip-authorization/resend', { ticket });
    setSent(true);
  });
  if (isSent) return <Notice takesFocus>The mail was sent again.</Notice>;
  if (isTime) return <ActionButton action={action}>Send the mail again</ActionButton>;
  return <p class="quiet">You can have it sent again in {in_seconds} seconds.</p>;
}
