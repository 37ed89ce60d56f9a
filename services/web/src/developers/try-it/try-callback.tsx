import { useLoaded } from '../../shared/api/use-loaded.ts';
import { mount, Page } from '../../shared/page.tsx';
import { readCallback } from './callback.ts';
import { handOver } from './handover.ts';

const callback = readCallback(location.search);
// The code is a credential, so it is removed from the address bar and the history.
history.replaceState(null, '', location.pathname);

// Before the first render, so that closing the tab early loses nothing.
mount(callback ? <HandedOver taken={handOver(callback)} /> : <NoCallback />);

function HandedOver({ taken }: { taken: Promise<boolean> }) {
  const { value: isTaken } = useLoaded(() => taken, [taken]);
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
