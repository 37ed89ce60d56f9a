import type { ResetPasswordResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { callWithoutSession } from '../../shared/api/api.ts';
import { remember, type Session, session } from '../../shared/api/session.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { NewPassword } from '../../shared/new-password.tsx';
import { mount, signOut } from '../../shared/page.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SignIn } from '../../sign-in/sign-in.tsx';
import { afterPassword, type Step } from '../../sign-in/steps.ts';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<ResetPage />);

function ResetPage() {
  return <MailPage title={i18n._('New password')}>{(token) => <Reset token={token} />}</MailPage>;
}

function Reset({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [end, setEnd] = useState<Session | Step>();
  const action = useAction(async () => {
    const response = await callWithoutSession<ResetPasswordResponse>('POST', '/auth/reset', {
      token,
      password,
    });
    const next = afterPassword(response);
    if (session.peek() !== undefined) await signOut(); // the reset ended it, or it belongs to another account
    if (!('name' in next)) remember(next, false);
    setEnd(next);
  });
  if (end !== undefined) return <PasswordChanged {...('name' in end && { start: end })} />;
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>
          <Trans
            id="Ask for a new one: choose “Forgot your password?” where you <0>sign in</0>."
            components={[
              // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
              <a key="account" href="/account" />,
            ]}
          />
        </p>
      </DeadLink>
    );
  return (
    <Form action={action} submit={i18n._('Change the password')}>
      <p>{i18n._('All devices that are signed in to your account are signed out.')}</p>
      <NewPassword value={password} onValue={setPassword} problem={action.problemOf('password')} />
    </Form>
  );
}

/** With a second factor, the user is not signed in yet: `start` is the step that asks for it. */
function PasswordChanged({ start }: { start?: Step }) {
  return (
    <>
      <Notice takesFocus>{i18n._('Your password is changed, and all devices are signed out.')}</Notice>
      {session.value ? (
        <p>
          {i18n._('You are signed in here.')} <a href="/account">{i18n._('To your account')}</a>
        </p>
      ) : (
        <SignIn {...(start && { start })} />
      )}
    </>
  );
}
