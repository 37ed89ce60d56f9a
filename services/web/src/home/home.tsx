import { isResuming, session } from '../shared/api/session.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Page } from '../shared/page.tsx';
import { Destinations } from './destinations.tsx';
import type { Outcome } from './outcome.ts';

/** Links to the other pages. It is also the callback of applications that only install their bot. */
export function Home({ outcome }: { outcome: Outcome | undefined }) {
  return outcome === undefined ? <Welcome /> : <Ended outcome={outcome} />;
}

function endings(): Readonly<Record<Outcome, { readonly title: string; readonly text: string }>> {
  return {
    allowed: { title: i18n._('Done'), text: i18n._('The bot was added. You can close this page.') },
    refused: {
      title: i18n._('Refused'),
      text: i18n._('The application got nothing. You can close this page.'),
    },
    failed: {
      title: i18n._('Not allowed'),
      text: i18n._('The application got no access. Go back to it and try again.'),
    },
  };
}

function Ended({ outcome }: { outcome: Outcome }) {
  const { title, text } = endings()[outcome];
  return (
    <Page title={title}>
      <p>{text}</p>
    </Page>
  );
}

function Welcome() {
  return (
    <Page title={i18n._('Welcome')} isWide offersSignIn>
      <p>
        {i18n._(
          'Here you manage your account and your guilds, which are communities with channels. You bring messages of other programs into channels, and build applications and bots.',
        )}
      </p>
      {session.value === undefined && !isResuming.value && <Beginnings />}
      <Destinations />
    </Page>
  );
}

/** For somebody who is not signed in. */
function Beginnings() {
  return (
    <div class="actions">
      <a class="button primary" href="/account">
        {i18n._('Sign in')}
      </a>
      <a class="button" href="/account#register">
        {i18n._('Create an account')}
      </a>
    </div>
  );
}
