import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import type { HeldLogin, SignInFlow } from './steps.ts';
import { useElapsed } from './use-elapsed.ts';
import { useReleased } from './use-released.ts';

/** Waits until the user opens the link in the mail, on any device. */
export function HeldStep({ flow, login }: { flow: SignInFlow; login: HeldLogin }) {
  const { ticket, email, resend_in_seconds } = login;
  useReleased(ticket, {
    released: flow.finish,
    ended: () => flow.go({ name: 'password', notice: i18n._('That login has ended. Sign in again.') }),
  });
  return (
    <>
      <p role="status">
        <Trans
          id="You have not signed in from this place before. To make sure that it is you, a mail with a link was sent to <0>{email}</0>. Open the link, on any device, and keep this page open: it continues by itself. Or <1>enter the code</1> from the mail."
          components={[
            <strong key="email" dir="ltr" />,
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="code" href="/authorize-ip" target="_blank" rel="noopener" />,
          ]}
          values={{ email }}
        />
      </p>
      <p class="quiet">
        {i18n._('The link works for 15 minutes. If the mail does not arrive, look in your spam folder.')}
      </p>
      <Resend ticket={ticket} in_seconds={resend_in_seconds} />
      <p class="actions links">
        <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
          {i18n._('Back to sign in')}
        </button>
      </p>
    </>
  );
}

/** The server resends the mail once, after a delay. */
function Resend({ ticket, in_seconds }: { ticket: string; in_seconds: number }) {
  const [isSent, setSent] = useState(false);
  const canResend = useElapsed(in_seconds);
  const action = useAction(async () => {
    await call('POST', '/auth/ip-authorization/resend', { ticket });
    setSent(true);
  });
  if (isSent) return <Notice takesFocus>{i18n._('The mail was sent again.')}</Notice>;
  if (canResend) return <ActionButton action={action}>{i18n._('Send the mail again')}</ActionButton>;
  return (
    <p class="quiet">
      {i18n._(
        '{seconds, plural, one {You can have it sent again in # second.} other {You can have it sent again in # seconds.}}',
        { seconds: in_seconds },
      )}
    </p>
  );
}
