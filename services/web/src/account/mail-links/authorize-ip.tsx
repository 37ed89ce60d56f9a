import { useState } from 'preact/hooks';
import { callWithoutSession } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { mount } from '../../shared/page.tsx';
import { ActionButton, Notice } from '../../shared/ui.tsx';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<MailPage title="A sign-in from a new place">{(token) => <AuthorizeIp token={token} />}</MailPage>);

function AuthorizeIp({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    await callWithoutSession('POST', '/auth/authorize-ip', { token });
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <Notice takesFocus>The sign-in is allowed.</Notice>
        <p>Go back to where you signed in: that page continues by itself. You can close this one.</p>
      </>
    );
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>Sign in again: if we still do not know the place, we send a new mail.</p>
        <a href="/account">Sign in</a>
      </DeadLink>
    );
  return (
    <>
      <p>Somebody entered your password at a place that you have not signed in from before. Was it you?</p>
      <ActionButton action={action} kind="primary">
        Yes, allow it
      </ActionButton>
      <p class="quiet">
        If it was not you, close this page and <a href="/account">change your password</a>: somebody knows it.
      </p>
    </>
  );
}
