import { useEffect, useState } from 'preact/hooks';
import { authorizeUrl, urlLines } from '../authorization/authorize-url.ts';
import type { Callback } from './callback.ts';
import { awaitCallback } from './callback-channel.ts';
import { maskCredential } from './mask-secrets.ts';
import type { PreparedRequest } from './prepared-request.ts';
import { TryExchanges } from './try-exchanges.tsx';
import { TryStep } from './try-step.tsx';

/** A run of the flow, from the authorization request to the requests with the tokens. */
export function TryRun({ prepared }: { prepared: PreparedRequest }) {
  const [callback, setCallback] = useState<Callback>();
  useEffect(() => awaitCallback(prepared.state, setCallback), []);
  return (
    <>
      <AskStep prepared={prepared} />
      {callback && <CallbackStep callback={callback} sentState={prepared.state} />}
      {callback?.code && <TryExchanges prepared={prepared} code={callback.code} />}
    </>
  );
}

/** A tab with a name of its own has an opener, from which it copies the session. Both stay in this origin. */
const CONSENT_TAB = 'gatehouse-consent';

function AskStep({ prepared }: { prepared: PreparedRequest }) {
  const { client_id, scopes, redirect_uri, state, challenge, verifier } = prepared;
  const isBotOnly = redirect_uri === '';
  const url = authorizeUrl(location.origin, {
    client_id,
    scopes,
    redirect_uri,
    state,
    code_challenge: isBotOnly ? '' : challenge,
    permissions: 0n,
    guild_id: '',
    disable_guild_select: false,
  });
  return (
    <TryStep
      number={1}
      title="Ask for authorization"
      explanation="The application sends the user's browser to Gatehouse. The address has no secret in it."
    >
      <pre>GET {urlLines(url)}</pre>
      {isBotOnly ? (
        <p>For the bot alone the flow ends there: consent installs it, and there is no code to exchange.</p>
      ) : (
        <ul>
          <li>
            <code>state</code> is random. It comes back with the code, which shows that the answer belongs to
            this request.
          </li>
          <li>
            <code>code_challenge</code> is the SHA-256 of a random verifier (
            <code>{maskCredential(verifier)}</code>) that only this page knows. Whoever else gets hold of the
            code cannot use it.
          </li>
        </ul>
      )}
      <a class="button primary" href={url} target={CONSENT_TAB}>
        Open consent in a new tab
      </a>
    </TryStep>
  );
}

function CallbackStep({ callback, sentState }: { callback: Callback; sentState: string }) {
  const { state, code, error } = callback;
  const what = code ? `code=${maskCredential(code)}` : `error=${error}`;
  return (
    <TryStep
      number={2}
      title={code ? 'Back with a code' : 'Back without a code'}
      explanation={
        code
          ? 'Gatehouse sent the browser back to the redirect URI. The code came through the browser, so it is worth ' +
            'nothing without the secret and the verifier.'
          : 'There was no authorization, and the browser was sent back with an error. access_denied: the user refused.'
      }
    >
      <pre>
        GET /developers/try?{what}&state={maskCredential(state)}
      </pre>
      <p>
        {state === sentState && 'The state is the one that was sent. An answer with any other is ignored.'}
      </p>
    </TryStep>
  );
}
