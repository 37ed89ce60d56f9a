import type { ResetPasswordResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { NewPassword } from '../shared/new-password.tsx';
import { mount } from '../shared/page.tsx';
import { remember } from '../shared/session.ts';
import { Form, Notice } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<MailPage title="New password">{(token) => <Reset token={token} />}</MailPage>);

function Reset({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [end, setEnd] = useState<'signed in' | 'second factor'>();
  const action = useAction(async () => {
    const answer = await call<ResetPasswordResponse>('POST', '/auth/reset', { token, password });
    if (answer.token && answer.user_id) {
      remember({ token: answer.token, user_id: answer.user_id }, false);
      setEnd('signed in');
    } else setEnd('second factor');
  });
  if (end !== undefined) return <Changed isSignedIn={end === 'signed in'} />;
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>
          Ask for a new one: choose “Forgot the password” where you <a href="/account">sign in</a>.
        </p>
      </DeadLink>
    );
  return (
    <Form action={action} submit="Change the password">
      <p>All devices that are signed in to your account are signed out.</p>
      <NewPassword value={password} onValue={setPassword} problem={action.problemOf('password')} />
    </Form>
  );
}

/** An account with a second factor signs in with both. */
function Changed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <Notice takesFocus>Your password is changed, and all devices are signed out.</Notice>
      {isSignedIn ? (
        <p>
          You are signed in here. <a href="/account">To your account</a>
        </p>
      ) : (
        <p>
          <a href="/account">Sign in</a> with the new password and your second factor.
        </p>
      )}
    </>
  );
}
