import { useEffect, useState } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
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
      {callback && <CallbackStep callback={callback} prepared={prepared} />}
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
  const requestLine = `GET ${urlLines(url)}`;
  return (
    <TryStep
      number={1}
      title={i18n._('Ask for authorization')}
      explanation={i18n._(
        "The application sends the user's browser to Gatehouse. The address has no secret in it.",
      )}
    >
      <pre>{requestLine}</pre>
      {isBotOnly ? (
        <p>
          {i18n._(
            'For the bot alone the flow ends there: consent installs it, and there is no code to exchange.',
          )}
        </p>
      ) : (
        <ul>
          <li>
            <Trans
              id="<0>state</0> is random. It comes back with the code, which shows that the answer belongs to this request."
              components={[<code />]}
            />
          </li>
          <li>
            <Trans
              id="<0>code_challenge</0> is the SHA-256 of a random verifier (<1>{verifier}</1>) that only this page knows. Whoever else gets hold of the code cannot use it."
              components={[<code />, <code />]}
              values={{ verifier: maskCredential(verifier) }}
            />
          </li>
        </ul>
      )}
      <a class="button primary" href={url} target={CONSENT_TAB}>
        {i18n._('Open consent in a new tab')}
      </a>
    </TryStep>
  );
}

function CallbackStep({ callback, prepared }: { callback: Callback; prepared: PreparedRequest }) {
  const { state, code, error } = callback;
  const what = code ? `code=${maskCredential(code)}` : `error=${error}`;
  const requestLine = `GET /developers/try?${what}&state=${maskCredential(state)}`;
  return (
    <TryStep
      number={2}
      title={code ? i18n._('Back with a code') : i18n._('Back without a code')}
      explanation={code ? codeExplanation(prepared) : noCodeExplanation()}
    >
      <pre>{requestLine}</pre>
      <p>
        {state === prepared.state &&
          i18n._('The state is the one that was sent. An answer with any other is ignored.')}
      </p>
    </TryStep>
  );
}

function codeExplanation({ client_secret }: PreparedRequest): string {
  return client_secret === ''
    ? i18n._(
        'Gatehouse sent the browser back to the redirect URI. The code came through the browser, so it is worth nothing without the verifier.',
      )
    : i18n._(
        'Gatehouse sent the browser back to the redirect URI. The code came through the browser, so it is worth nothing without the secret and the verifier.',
      );
}

function noCodeExplanation(): string {
  return i18n._(
    'There was no authorization, and the browser was sent back with an error. access_denied: the user refused.',
  );
}
