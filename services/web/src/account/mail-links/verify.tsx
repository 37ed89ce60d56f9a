import { useState } from 'preact/hooks';
import { callWithoutSession } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { mount } from '../../shared/page.tsx';
import { ActionButton, Notice } from '../../shared/ui.tsx';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<MailPage title="Verify your e-mail address">{(token) => <Verify token={token} />}</MailPage>);

function Verify({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    await callWithoutSession('POST', '/auth/verify', { token });
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <Notice takesFocus>Your e-mail address is verified.</Notice>
        <a href="/account">To your account</a>
      </>
    );
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>
          Perhaps the address is verified already. <a href="/account">Your account</a> says whether it is, and
          sends the mail again if not.
        </p>
      </DeadLink>
    );
  return (
    <>
      <p>Confirm that this address is yours.</p>
      <ActionButton action={action} kind="primary">
        Verify
      </ActionButton>
    </>
  );
}
