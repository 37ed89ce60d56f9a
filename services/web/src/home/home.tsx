import { Page } from '../shared/page.tsx';
import type { Outcome } from './outcome.ts';

/** Links to the other pages. It is also the callback of applications that only install their bot. */
export function Home({ outcome }: { outcome: Outcome | undefined }) {
  return outcome === undefined ? <Welcome /> : <Ended outcome={outcome} />;
}

const ENDINGS: Readonly<Record<Outcome, { readonly title: string; readonly text: string }>> = {
  allowed: { title: 'Done', text: 'The bot was added. You can close this page.' },
  refused: { title: 'Refused', text: 'The application got nothing. You can close this page.' },
  failed: {
    title: 'Not allowed',
    text: 'The application got no access. Go back to it and try again.',
  },
};

function Ended({ outcome }: { outcome: Outcome }) {
  const { title, text } = ENDINGS[outcome];
  return (
    <Page title={title}>
      <p>{text}</p>
    </Page>
  );
}

function Welcome() {
  return (
    <Page title="Welcome">
      <div class="card">
        <h2>
          <a href="/account">Your account</a>
        </h2>
        <p>Devices that are signed in, second factors, and the applications you allowed.</p>
      </div>
      <div class="card">
        <h2>
          <a href="/developers">For developers</a>
        </h2>
        <p>Register applications and bots.</p>
      </div>
      <div class="card">
        <h2>
          <a href="/docs">Documentation</a>
        </h2>
        <p>Every operation of the API with examples, and guides to its rules.</p>
      </div>
    </Page>
  );
}
