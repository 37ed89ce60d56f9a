import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { mount, Page } from '../../shared/page.tsx';
import { readCallback } from './callback.ts';
import { sendCallback } from './callback-channel.ts';

const callback = readCallback(location.search);
// The code is a credential, so it is removed from the address bar and the history.
history.replaceState(null, '', location.pathname);

// Before the first render, so that closing the tab early loses nothing.
mount(callback ? <CallbackSent acknowledged={sendCallback(callback)} /> : <NoCallback />);

function CallbackSent({ acknowledged }: { acknowledged: Promise<boolean> }) {
  const { value: isAcknowledged } = useLoaded(() => acknowledged, [acknowledged]);
  return (
    <Page title={i18n._('Try it')}>
      <p role="status">
        {isAcknowledged === undefined && i18n._('Passing the answer on…')}
        {isAcknowledged &&
          i18n._('The developer portal has the answer and goes on in its own tab. You can close this one.')}
        {isAcknowledged === false &&
          i18n._(
            'No page of the developer portal waits for this answer: its tab was closed, or the answer belongs to another request. Start again there.',
          )}
      </p>
      {isAcknowledged === false && <BackLink />}
    </Page>
  );
}

function NoCallback() {
  return (
    <Page title={i18n._('Try it')}>
      <p>
        {i18n._('“Try it” in the developer portal leads back to this page. There is nothing to do here.')}
      </p>
      <BackLink />
    </Page>
  );
}

function BackLink() {
  return (
    <p>
      <a href="/developers">{i18n._('Developer portal')}</a>
    </p>
  );
}
