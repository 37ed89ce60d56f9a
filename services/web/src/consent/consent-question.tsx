import { currentUser } from '../shared/api/current-user.ts';
import { signOut } from '../shared/page.tsx';
import { SCOPES } from '../shared/scopes.ts';
import { Problem } from '../shared/ui.tsx';
import { InstallTargetFields } from './install-target.tsx';
import { canAllow } from './installation.ts';
import type { LoadedConsent } from './load-consent.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';
import { returnHost } from './return-host.ts';
import { useAnswer } from './use-answer.ts';
import { useClickGuard } from './use-click-guard.ts';

interface ConsentQuestionProps {
  readonly request: ConsentRequest;
  readonly consent: LoadedConsent;
}

/** The request of the application, and the two answers. */
export function ConsentQuestion({ request, consent }: ConsentQuestionProps) {
  const { target, account_id } = consent;
  const isAllowable = canAllow(request, consent);
  const answer = useAnswer(request, consent);
  return (
    <>
      <SignedInAs />
      <section class="card" aria-labelledby="wants">
        <h2 id="wants">{consent.application.name} asks to</h2>
        <ul class="plain-list">
          {request.scopes.map((scope) => (
            <li key={scope}>{SCOPES[scope]}</li>
          ))}
        </ul>
        <p class="quiet">It does not learn your password and cannot write in your name.</p>
      </section>
      {target && (
        <InstallTargetFields {...answer} request={request} target={target} account_id={account_id} />
      )}
      {isAllowable && <NextSteps request={request} />}
      <Problem text={answer.answerProblem} />
      <Answers answer={answer} canAllow={isAllowable} />
    </>
  );
}

function Answers(props: { answer: ReturnType<typeof useAnswer>; canAllow: boolean }) {
  const { isBusy, allow, refuse } = props.answer;
  const isGuarded = useClickGuard();
  return (
    <div class="actions">
      {props.canAllow && (
        <button
          type="button"
          class="primary"
          aria-disabled={isBusy || isGuarded}
          // A click by key has detail 0. It goes to the focused button, not to the one under the pointer.
          onClick={({ detail }) => (!isGuarded || detail === 0) && allow()}
        >
          Allow
        </button>
      )}
      <button type="button" aria-disabled={isBusy} onClick={refuse}>
        Refuse
      </button>
    </div>
  );
}

function SignedInAs() {
  const user = currentUser.value;
  return (
    <p class="actions links who">
      <span>
        Signed in as <strong>{user?.global_name ?? user?.username ?? '…'}</strong>
        {user?.email && ` (${user.email})`}
      </span>
      <button type="button" class="plain" onClick={() => void signOut()}>
        Not you? Switch account
      </button>
    </p>
  );
}

function NextSteps({ request }: { request: ConsentRequest }) {
  const { redirect_uri } = request.parameters;
  const host = redirect_uri === undefined ? undefined : returnHost(redirect_uri);
  return (
    <p>
      {host !== undefined && (
        <>
          Then you go back to <strong>{host}</strong>.{' '}
        </>
      )}
      {!isForBotAlone(request) &&
        'You can remove its access to your account at any time, on the page of your account. '}
      {request.scopes.includes('bot') && 'The bot can be removed again like any other member.'}
    </p>
  );
}
