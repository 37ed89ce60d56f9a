import { i18n } from '../../shared/i18n/i18n.ts';
import type { Scope } from '../../shared/scopes.ts';
import { Copyable } from '../../shared/ui/copyable.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { GuideLink } from '../guide-link.tsx';
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
  const { id, redirect_uris, bot_require_code_grant, public: isPublic } = application;
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
  const isCodeSent = needsRedirect(scopes, bot_require_code_grant);
  const isPkceRequired = isPublic && isCodeSent;
  return (
    <section class="card" aria-labelledby="view">
      <h2 id="view" tabIndex={-1}>
        {i18n._('Authorization URL')}
      </h2>
      <p>
        {i18n._(
          'Your application sends people to this address. They allow it here, and come back with a code.',
        )}
      </p>
      <GuideLink />
      <ScopeBoxes scopes={scopes} onScopes={(chosen) => onRequest({ scopes: chosen })} />
      {scopes.has('bot') && <BotFields request={request} onRequest={onRequest} />}
      <Select
        label={i18n._('Redirect URI')}
        value={redirect_uri}
        onValue={(uri) => onRequest({ redirect_uri: uri })}
        options={[
          ...redirect_uris.map((uri) => ({ value: uri, text: uri })),
          { value: '', text: i18n._('None') },
        ]}
      />
      <Field
        label={i18n._('State')}
        hint={i18n._(
          'Comes back unchanged. Your application makes a new one for each person, to recognize its own requests.',
        )}
        value={state}
        onValue={(text) => onRequest({ state: text })}
      />
      <ChallengeField
        challenge={code_challenge}
        isRequired={isPkceRequired}
        onChallenge={(text) => onRequest({ code_challenge: text })}
      />
      <Result request={request} isRedirectNeeded={isCodeSent} isPkceRequired={isPkceRequired} />
    </section>
  );
}

function Result(props: { request: AuthorizeRequest; isRedirectNeeded: boolean; isPkceRequired: boolean }) {
  const { request, isRedirectNeeded, isPkceRequired } = props;
  const isChallengeMissing = isPkceRequired && request.code_challenge === '';
  const problem = problemOf(request, isRedirectNeeded);
  return (
    <>
      <div role="status">
        {isChallengeMissing && (
          <p class="notice">
            {i18n._('A public client needs a PKCE challenge: without one its code cannot be exchanged.')}
          </p>
        )}
        {!isChallengeMissing && problem && <p class="notice problem">{problem}</p>}
      </div>
      {!isChallengeMissing && <Url url={authorizeUrl(location.origin, request)} />}
    </>
  );
}

function Url({ url }: { url: string }) {
  return (
    <>
      <pre>{urlLines(url)}</pre>
      <Copyable label={i18n._('The URL')} text={url} />
      <a class="button" href={url} target="_blank" rel="noopener">
        {i18n._('Open it in a new tab')}
      </a>
      <p class="hint">{i18n._('You are signed in there too, with the account of this page.')}</p>
    </>
  );
}

function problemOf(request: AuthorizeRequest, isRedirectNeeded: boolean): string | undefined {
  const { scopes, redirect_uri, code_challenge, guild_id } = request;
  if (scopes.size === 0) return i18n._('Choose at least one scope.');
  if (isRedirectNeeded && redirect_uri === '')
    return i18n._('A redirect URI is required: add one to the settings, or choose one here.');
  return (scopes.has('bot') ? idProblem(guild_id) : undefined) ?? challengeProblem(code_challenge);
}
