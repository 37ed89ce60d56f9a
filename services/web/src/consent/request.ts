import { isScope, type Scope, splitScopes } from '../shared/scopes.ts';

const PARAMETERS = [
  'client_id',
  'scope',
  'response_type',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'guild_id',
  'channel_id',
  'permissions',
  'disable_guild_select',
  'login_hint',
] as const;

type Parameter = (typeof PARAMETERS)[number];

/** The request in the query of a link to this page (docs/oauth2.md#authorization). */
export interface ConsentRequest {
  /** As sent; empty parameters are absent. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
  /** The raw state of the query, which may not be UTF-8. */
  readonly raw_state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly unknownScopes: readonly string[];
  readonly repeated: readonly Parameter[];
}

/** Reads a query. Unknown parameters are left out. */
export function readRequest(query: string): ConsentRequest {
  const search = new URLSearchParams(query);
  const parameters: Partial<Record<Parameter, string>> = {};
  for (const name of PARAMETERS) {
    const value = search.get(name);
    if (value) parameters[name] = value;
  }
  const scopes = splitScopes(parameters.scope ?? '');
  return {
    parameters,
    raw_state: parameters.state?.includes(REPLACED) ? rawState(query) : undefined,
    scopes: scopes.filter(isScope),
    unknownScopes: scopes.filter((scope) => !isScope(scope)),
    repeated: PARAMETERS.filter((name) => search.getAll(name).length > 1),
  };
}

/** The replacement character, for bytes that are not UTF-8. */
const REPLACED = '\ufffd';

function rawState(query: string): string | undefined {
  const pairs = query.replace(/^\?/, '').split('&');
  const pair = pairs.find((one) => one.includes('=') && new URLSearchParams(`?${one}`).has('state'));
  return pair?.slice(pair.indexOf('=') + 1);
}

export function isForBot({ scopes }: Pick<ConsentRequest, 'scopes'>): boolean {
  return scopes.includes('bot');
}

/** Whether the request is for the bot alone, which needs no redirect URI. */
export function isForBotAlone({ scopes }: Pick<ConsentRequest, 'scopes'>): boolean {
  return scopes.length === 1 && scopes[0] === 'bot';
}

/** The chosen target of the bot and its permissions. */
export interface Installation {
  readonly guild_id?: string;
  readonly permissions?: bigint;
  readonly channel_id?: string;
}

/** The body of POST /oauth2/authorize/consent. */
export function consentBody(
  { parameters, raw_state }: ConsentRequest,
  { permissions, ...target }: Installation,
): object {
  const { client_id, scope, redirect_uri, state, response_type } = parameters;
  const { code_challenge, code_challenge_method } = parameters;
  return {
    ...{
      client_id,
      scope,
      redirect_uri,
      state,
      raw_state,
      response_type,
      code_challenge,
      code_challenge_method,
    },
    ...target,
    ...(permissions !== undefined && { permissions: String(permissions) }),
  };
}

/** The body of POST /oauth2/authorize/refuse. */
export function refusalBody({ parameters, raw_state }: ConsentRequest): object {
  const { client_id, scope, redirect_uri, state } = parameters;
  return { client_id, scope, redirect_uri, state, raw_state };
}
