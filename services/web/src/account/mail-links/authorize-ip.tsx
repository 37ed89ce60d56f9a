import { useState } from 'preact/hooks';
import { callWithoutSession } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { mount } from '../../shared/page.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { DeadLink, MailPage } from './mail-page.tsx';

mount(<AuthorizeIpPage />);

function AuthorizeIpPage() {
  return (
    <MailPage title={i18n._('A sign-in from a new place')}>
      {(token) => <AuthorizeIp token={token} />}
    </MailPage>
  );
}

function AuthorizeIp({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    await callWithoutSession('POST', '/auth/authorize-ip', { token });
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <Notice takesFocus>{i18n._('The sign-in is allowed.')}</Notice>
        <p>
          {i18n._('Go back to where you signed in: that page continues by itself. You can close this one.')}
        </p>
      </>
    );
  if (action.problemOf('token'))
    return (
      <DeadLink>
        <p>{i18n._('Sign in again: if we still do not know the place, we send a new mail.')}</p>
        <a href="/account">{i18n._('Sign in')}</a>
      </DeadLink>
    );
  return (
    <>
      <p>
        {i18n._(
          'Somebody entered your password at a place that you have not signed in from before. Was it you?',
        )}
      </p>
      <ActionButton action={action} kind="primary">
        {i18n._('Yes, allow it')}
      </ActionButton>
      <p class="quiet">
        <Trans
          id="If it was not you, close this page and <0>change your password</0>: somebody knows it."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="account" href="/account" />,
          ]}
        />
      </p>
    </>
  );
}
