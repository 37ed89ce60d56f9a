import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/api/current-user.ts';
import { isResuming, session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { Page } from '../shared/page.tsx';
import { Problem } from '../shared/ui/problem.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { ConsentQuestion } from './consent-question.tsx';
import { type LinkError, linkErrorOf } from './link-error.ts';
import { type LoadedConsent, loadConsent } from './load-consent.ts';
import { loginHint } from './login-hint.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';
import { findNamedApplication, SignInReason } from './sign-in-reason.tsx';

/** Asks for consent to the request of an application (docs/web.md#consent). */
export function Consent({ request }: { request: ConsentRequest }) {
  const linkError = linkErrorOf(request);
  return linkError ? <BrokenLinkPage {...linkError} /> : <SignedInConsent request={request} />;
}

function SignedInConsent({ request }: { request: ConsentRequest }) {
  const { token, user_id } = session.value ?? {};
  const loading = useLoaded(async () => user_id && (await loadConsent(request, user_id)), [token]);
  const mayBeSignedIn = user_id !== undefined || isResuming.value;
  const { client_id } = request.parameters;
  const named = useLoaded(
    async () => (client_id === undefined || mayBeSignedIn ? undefined : findNamedApplication(client_id)),
    [client_id, mayBeSignedIn],
  );
  const asking = mayBeSignedIn ? undefined : named.value;
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
  const heading = mayBeSignedIn
    ? consent && <ConsentHeading request={request} consent={consent} />
    : asking && <SignInHeading name={asking.name} />;
  return (
    <Page
      title={mayBeSignedIn ? titleOf(request, consent) : signInTitle(asking?.name)}
      {...(heading && { heading })}
    >
      {!mayBeSignedIn && <SignInReason application={asking} />}
      <SignedIn hint={loginHint(request)}>
        <WhenLoaded loaded={loaded}>
          {(value) => <ConsentQuestion request={request} consent={value} />}
        </WhenLoaded>
      </SignedIn>
    </Page>
  );
}

/** The name is undefined until it is loaded. */
function signInTitle(name: string | undefined): string {
  return name === undefined
    ? i18n._('Sign in to continue')
    : i18n._('Sign in to continue to {name}', { name });
}

function SignInHeading({ name }: { name: string }) {
  return <Trans id="Sign in to continue to {name}" values={{ name: <bdi>{name}</bdi> }} />;
}

function titleOf(request: ConsentRequest, consent: LoadedConsent | undefined): string {
  if (consent === undefined) return i18n._('One moment');
  const { name } = consent.application;
  if (!isForBotAlone(request)) return i18n._('Allow {name}?', { name });
  return consent.target?.kind === 'group'
    ? i18n._('Add {name} to your group?', { name })
    : i18n._('Add {name} to a guild?', { name });
}

/** The title, with the name in its own direction. */
function ConsentHeading({ request, consent }: { request: ConsentRequest; consent: LoadedConsent }) {
  const values = { name: <bdi>{consent.application.name}</bdi> };
  if (!isForBotAlone(request)) return <Trans id="Allow {name}?" values={values} />;
  return consent.target?.kind === 'group' ? (
    <Trans id="Add {name} to your group?" values={values} />
  ) : (
    <Trans id="Add {name} to a guild?" values={values} />
  );
}

/** A request that cannot succeed. The page does not redirect. */
function BrokenLinkPage({ text, advice }: LinkError) {
  return (
    <Page title={i18n._('This link does not work')}>
      <Problem text={text} />
      <p>{i18n._('Go back to the application, and tell its maker if it happens again.')}</p>
      <p class="quiet">{i18n._('If you made this link: {advice}', { advice })}</p>
    </Page>
  );
}
