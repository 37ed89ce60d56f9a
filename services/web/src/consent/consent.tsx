import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/api/current-user.ts';
import { session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { Page } from '../shared/page.tsx';
import { Ready } from '../shared/ready.tsx';
import { Problem } from '../shared/ui.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { type Broken, whatIsBroken } from './broken.ts';
import { type Asked, loadAsked } from './load.ts';
import { Question } from './question.tsx';
import { type ConsentRequest, isForBotAlone } from './request.ts';

/** Asks for consent to the request of an application (docs/web.md#consent). */
export function Consent({ request }: { request: ConsentRequest }) {
  const broken = whatIsBroken(request);
  return broken ? <BrokenLink {...broken} /> : <SignedInConsent request={request} />;
}

function SignedInConsent({ request }: { request: ConsentRequest }) {
  const found = session.value;
  const asked = useLoaded(async () => found && (await loadAsked(request, found.user_id)), [found?.token]);
  if (found && asked.value && 'advice' in asked.value) return <BrokenLink {...asked.value} />;
  const isFor = (id: string | undefined) => id !== undefined && id === found?.user_id;
  // The question waits until the page can show the signed-in account.
  const isKnown = isFor(currentUser.value?.id);
  const ready =
    isKnown && asked.value && 'application' in asked.value && isFor(asked.value.account_id)
      ? asked.value
      : undefined;
  const loaded = {
    value: ready,
    problem: asked.problem ?? currentUserProblem.value,
    reload: async () => {
      await Promise.all([asked.reload(), reloadCurrentUser()]);
    },
  };
  return (
    <Page title={titleOf(request, ready, found !== undefined)}>
      {!found && <p>An application asks for access to your account. Sign in to see what it wants.</p>}
      <SignedIn>
        <Ready loaded={loaded}>{(found) => <Question request={request} asked={found} />}</Ready>
      </SignedIn>
    </Page>
  );
}

function titleOf(request: ConsentRequest, asked: Asked | undefined, isSignedIn: boolean): string {
  if (!isSignedIn) return 'Sign in to continue';
  if (asked === undefined) return 'One moment';
  const { name } = asked.application;
  if (!isForBotAlone(request)) return `Allow ${name}?`;
  return asked.place?.kind === 'group' ? `Add ${name} to your group?` : `Add ${name} to a guild?`;
}

/** A request that cannot succeed. The page does not redirect. */
function BrokenLink({ text, advice }: Broken) {
  return (
    <Page title="This link does not work">
      <Problem text={text} />
      <p>Go back to the application, and tell its maker if it happens again.</p>
      <p class="quiet">If you made this link: {advice}</p>
    </Page>
  );
}
