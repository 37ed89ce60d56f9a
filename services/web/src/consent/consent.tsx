import { Page } from '../shared/page.tsx';
import { session } from '../shared/session.ts';
import { Problem } from '../shared/ui.tsx';
import { type Loaded, useLoaded } from '../shared/use-loaded.ts';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { type Broken, whatIsBroken } from './broken.ts';
import { plainName } from './consent-words.ts';
import { type Asked, loadAsked } from './load.ts';
import { Question } from './question.tsx';
import { type ConsentRequest, isForBotAlone } from './request.ts';

/** Asks whether an application may do what it asks for (docs/web.md#consent). */
export function Consent({ request }: { request: ConsentRequest }) {
  const broken = whatIsBroken(request);
  return broken ? <BrokenLink {...broken} /> : <SignedInConsent request={request} />;
}

function SignedInConsent({ request }: { request: ConsentRequest }) {
  const found = session.value;
  const asked = useLoaded(async () => found && (await loadAsked(request, found.user_id)), [found?.token]);
  if (found && asked.value && 'advice' in asked.value) return <BrokenLink {...asked.value} />;
  const isForThem = asked.value && 'application' in asked.value && asked.value.account_id === found?.user_id;
  const ready = isForThem ? asked.value : undefined;
  return (
    <Page title={titleOf(request, ready, found !== undefined)}>
      {!found && <p>An application asks for access to your account. Sign in to see what it wants.</p>}
      <SignedIn>{ready ? <Question request={request} asked={ready} /> : <Waiting asked={asked} />}</SignedIn>
    </Page>
  );
}

function titleOf(request: ConsentRequest, asked: Asked | undefined, isSignedIn: boolean): string {
  if (!isSignedIn) return 'Sign in to continue';
  if (asked === undefined) return 'One moment';
  const name = plainName(asked.application.name);
  if (!isForBotAlone(request)) return `Allow ${name}?`;
  return asked.place?.kind === 'group' ? `Add ${name} to your group?` : `Add ${name} to a guild?`;
}

function Waiting({ asked }: { asked: Pick<Loaded<unknown>, 'problem' | 'reload'> }) {
  if (asked.problem === undefined) return <p class="loading">Loading…</p>;
  return (
    <>
      <Problem text={asked.problem} />
      <button type="button" onClick={() => void asked.reload()}>
        Try again
      </button>
    </>
  );
}

/** A request that can lead nowhere. Nobody is sent anywhere. */
function BrokenLink({ text, advice }: Broken) {
  return (
    <Page title="This link does not work">
      <Problem text={text} />
      <p>Go back to the application, and tell its maker if it happens again.</p>
      <p class="quiet">If you made this link: {advice}</p>
    </Page>
  );
}
