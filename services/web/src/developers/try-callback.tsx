import { mount, Page } from '../shared/page.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { type Callback, readCallback } from './callback.ts';
import { handOver } from './handover.ts';

const callback = readCallback(location.search);
// The code is a credential: it stays neither in the address bar nor in the history.
history.replaceState(null, '', location.pathname);

mount(callback ? <HandedOver callback={callback} /> : <NoCallback />);

function HandedOver({ callback }: { callback: Callback }) {
  const { value: isTaken } = useLoaded(() => handOver(callback), []);
  return (
    <Page title="Try it">
      <p role="status">
        {isTaken === undefined && 'Handing the answer over…'}
        {isTaken && 'The developer portal has the answer and goes on in its own tab. You can close this one.'}
        {isTaken === false &&
          'No page of the developer portal waits for this answer: its tab was closed, or the answer is to another ' +
            'request. Start again there.'}
      </p>
      {isTaken === false && <BackLink />}
    </Page>
  );
}

function NoCallback() {
  return (
    <Page title="Try it">
      <p>“Try it” in the developer portal leads back to this page. There is nothing to be done here.</p>
      <BackLink />
    </Page>
  );
}

function BackLink() {
  return (
    <p>
      <a href="/developers">Developer portal</a>
    </p>
  );
}
