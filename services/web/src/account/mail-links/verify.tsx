import { useState } from 'preact/hooks';
import { callWithoutSession } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { mount } from '../../shared/page.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<VerifyPage />);

function VerifyPage() {
  return (
    <MailPage title={i18n._('Verify your e-mail address')}>{(token) => <Verify token={token} />}</MailPage>
  );
}

function Verify({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    await callWithoutSession('POST', '/auth/verify', { token });
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <Notice takesFocus>{i18n._('Your e-mail address is verified.')}</Notice>
        <a href="/account">{i18n._('To your account')}</a>
      </>
    );
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>
          <Trans
            id="Perhaps the address is verified already. <0>Your account</0> says whether it is, and sends the mail again if not."
            components={[
              // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
              <a key="account" href="/account" />,
            ]}
          />
        </p>
      </DeadLink>
    );
  return (
    <>
      <p>{i18n._('Confirm that this address is yours.')}</p>
      <ActionButton action={action} kind="primary">
        {i18n._('Verify')}
      </ActionButton>
    </>
  );
}
