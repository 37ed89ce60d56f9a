import { currentUser } from '../shared/api/current-user.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { signOut } from '../shared/page.tsx';
import { SCOPES } from '../shared/scopes.ts';
import { Problem } from '../shared/ui/problem.tsx';
import { ApplicationFacts } from './application-facts.tsx';
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
      <ApplicationFacts application={consent.application} />
      <section class="card" aria-labelledby="wants">
        <h2 id="wants">
          <Trans id="{name} asks to" values={{ name: <bdi>{consent.application.name}</bdi> }} />
        </h2>
        <ul class="plain-list">
          {request.scopes.map((scope) => (
            <li key={scope}>{SCOPES[scope]}</li>
          ))}
        </ul>
        <p class="quiet">{i18n._('It does not learn your password and cannot write in your name.')}</p>
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
          {i18n._('Allow')}
        </button>
      )}
      <button type="button" aria-disabled={isBusy} onClick={refuse}>
        {i18n._('Refuse')}
      </button>
    </div>
  );
}

function SignedInAs() {
  const user = currentUser.value;
  const name = <strong dir="auto">{user?.global_name ?? user?.username ?? '…'}</strong>;
  return (
    <p class="actions links who">
      <span>
        {user?.email ? (
          <Trans
            id="Signed in as {name} ({email})"
            values={{ name, email: <bdi dir="ltr">{user.email}</bdi> }}
          />
        ) : (
          <Trans id="Signed in as {name}" values={{ name }} />
        )}
      </span>
      <button type="button" class="plain" onClick={() => void signOut()}>
        {i18n._('Not you? Switch account')}
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
          <Trans
            id="Then you go back to <0>{host}</0>."
            components={[<strong key="host" dir="auto" />]}
            values={{ host }}
          />{' '}
        </>
      )}
      {!isForBotAlone(request) &&
        `${i18n._('You can remove its access to your account at any time, on the page of your account.')} `}
      {request.scopes.includes('bot') && i18n._('The bot can be removed again like any other member.')}
    </p>
  );
}
