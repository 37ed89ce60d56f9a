import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/api/current-user.ts';
import { session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { Page } from '../shared/page.tsx';
import { Problem } from '../shared/ui.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { ConsentQuestion } from './consent-question.tsx';
import { type LinkError, linkErrorOf } from './link-error.ts';
import { type LoadedConsent, loadConsent } from './load-consent.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';

/** Asks for consent to the request of an application (docs/web.md#consent). */
export function Consent({ request }: { request: ConsentRequest }) {
  const linkError = linkErrorOf(request);
  return linkError ? <BrokenLinkPage {...linkError} /> : <SignedInConsent request={request} />;
}

function SignedInConsent({ request }: { request: ConsentRequest }) {
  const { token, user_id } = session.value ?? {};
  const loading = useLoaded(async () => user_id && (await loadConsent(request, user_id)), [token]);
  const found = user_id ? loading.value : undefined;
  if (found && 'advice' in found) return <BrokenLinkPage {...found} />;
  // The question waits until the page can show which account is signed in.
  const isShowable = found && found.account_id === user_id && currentUser.value?.id === user_id;
  const consent = isShowable ? found : undefined;
  const loaded = {
    value: consent,
    problem: loading.problem ?? currentUserProblem.value,
    reload: async () => {
      await Promise.all([loading.reload(), reloadCurrentUser()]);
    },
  };
  return (
    <Page title={titleOf(request, consent, user_id !== undefined)}>
      {!user_id && <p>An application asks for access to your account. Sign in to see what it wants.</p>}
      <SignedIn>
        <WhenLoaded loaded={loaded}>
          {(value) => <ConsentQuestion request={request} consent={value} />}
        </WhenLoaded>
      </SignedIn>
    </Page>
  );
}

function titleOf(request: ConsentRequest, consent: LoadedConsent | undefined, isSignedIn: boolean): string {
  if (!isSignedIn) return 'Sign in to continue';
  if (consent === undefined) return 'One moment';
  const { name } = consent.application;
  if (!isForBotAlone(request)) return `Allow ${name}?`;
  return consent.target?.kind === 'group' ? `Add ${name} to your group?` : `Add ${name} to a guild?`;
}

/** A request that cannot succeed. The page does not redirect. */
function BrokenLinkPage({ text, advice }: LinkError) {
  return (
    <Page title="This link does not work">
      <Problem text={text} />
      <p>Go back to the application, and tell its maker if it happens again.</p>
      <p class="quiet">If you made this link: {advice}</p>
    </Page>
  );
}
