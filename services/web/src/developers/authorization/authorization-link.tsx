import type { Scope } from '../../shared/scopes.ts';
import { Select } from '../../shared/select.tsx';
import { Copyable, Field } from '../../shared/ui.tsx';
import type { TabProps } from '../tab-props.ts';
import { useDraft } from '../use-draft.ts';
import { type AuthorizeRequest, authorizeUrl, idProblem, urlLines } from './authorize-url.ts';
import { BotFields } from './bot-fields.tsx';
import { ChallengeField } from './challenge-field.tsx';
import { challengeProblem } from './pkce.ts';
import { ScopeBoxes } from './scope-boxes.tsx';
import { needsRedirect } from './scopes.ts';

/** Builds an authorization URL. */
export function AuthorizationLink({ application }: TabProps) {
  const { id, redirect_uris, bot_require_code_grant } = application;
  const { draft, edit } = useDraft<AuthorizeRequest>(`${id}/link`, {
    client_id: id,
    scopes: new Set<Scope>(['identify']),
    redirect_uri: redirect_uris[0] ?? '',
    state: '',
    code_challenge: '',
    permissions: 0n,
    guild_id: '',
    disable_guild_select: false,
  });
  const onRequest = (changes: Partial<AuthorizeRequest>) => edit({ ...draft, ...changes });
  // A chosen redirect URI may have been removed meanwhile.
  const redirect_uri = redirect_uris.includes(draft.redirect_uri) ? draft.redirect_uri : '';
  const request = { ...draft, redirect_uri };
  const { scopes, state, code_challenge } = request;
  return (
    <section class="card" aria-labelledby="view">
      <h2 id="view" tabIndex={-1}>
        Authorization URL
      </h2>
      <p>Your application sends people to this address. They allow it here, and come back with a code.</p>
      <ScopeBoxes scopes={scopes} onScopes={(chosen) => onRequest({ scopes: chosen })} />
      {scopes.has('bot') && <BotFields request={request} onRequest={onRequest} />}
      <Select
        label="Redirect URI"
        value={redirect_uri}
        onValue={(uri) => onRequest({ redirect_uri: uri })}
        options={[...redirect_uris.map((uri) => ({ value: uri, text: uri })), { value: '', text: 'None' }]}
      />
      <Field
        label="State"
        hint="Comes back unchanged. Your application makes a new one for each person, to recognize its own requests."
        value={state}
        onValue={(text) => onRequest({ state: text })}
      />
      <ChallengeField
        challenge={code_challenge}
        onChallenge={(text) => onRequest({ code_challenge: text })}
      />
      <Result request={request} isRedirectNeeded={needsRedirect(scopes, bot_require_code_grant)} />
    </section>
  );
}

function Result({ request, isRedirectNeeded }: { request: AuthorizeRequest; isRedirectNeeded: boolean }) {
  const problem = problemOf(request, isRedirectNeeded);
  const url = authorizeUrl(location.origin, request);
  return (
    <>
      <div role="status">{problem && <p class="notice problem">{problem}</p>}</div>
      <pre>{urlLines(url)}</pre>
      <Copyable label="The URL" text={url} />
      <a class="button" href={url} target="_blank" rel="noopener">
        Open it in a new tab
      </a>
      <p class="hint">You sign in again there, unless you stay signed in on this device.</p>
    </>
  );
}

function problemOf(request: AuthorizeRequest, isRedirectNeeded: boolean): string | undefined {
  const { scopes, redirect_uri, code_challenge, guild_id } = request;
  if (scopes.size === 0) return 'Choose at least one scope.';
  if (isRedirectNeeded && redirect_uri === '')
    return 'A redirect URI is required: add one to the settings, or choose one here.';
  return (scopes.has('bot') ? idProblem(guild_id) : undefined) ?? challengeProblem(code_challenge);
}
