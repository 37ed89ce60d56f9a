import { i18n } from '../../shared/i18n/i18n.ts';
import { isId } from '../../shared/id.ts';
import { SCOPE_NAMES, type Scope } from '../../shared/scopes.ts';

/** The parameters of an authorization URL. Empty ones are left out. */
export interface AuthorizeRequest {
  readonly client_id: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly redirect_uri: string;
  readonly state: string;
  /** S256. */
  readonly code_challenge: string;
  /** Parameters of the bot. They are left out without the scope `bot`. */
  readonly permissions: bigint;
  readonly guild_id: string;
  readonly disable_guild_select: boolean;
}

/** GET /oauth2/authorize with this request (docs/oauth2.md#authorization). */
export function authorizeUrl(origin: string, request: AuthorizeRequest): string {
  const { scopes, code_challenge, guild_id } = request;
  const bot = scopes.has('bot') && {
    permissions: request.permissions === 0n ? '' : request.permissions.toString(),
    guild_id,
    disable_guild_select: request.disable_guild_select ? 'true' : '',
  };
  const parameters = {
    client_id: request.client_id,
    response_type: 'code',
    scope: SCOPE_NAMES.filter((scope) => scopes.has(scope)).join(' '),
    redirect_uri: request.redirect_uri,
    state: request.state,
    code_challenge,
    code_challenge_method: code_challenge === '' ? '' : 'S256',
    ...bot,
  };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return `${origin}/api/v1/oauth2/authorize?${query}`;
}

/** A URL for reading, with one parameter per line. */
export function urlLines(url: string): string {
  return url.replaceAll(/[?&]/g, '\n  $&').replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** The error of a guild ID, as text. */
export function idProblem(text: string): string | undefined {
  if (text === '' || isId(text)) return undefined;
  return i18n._('An ID has only digits, such as 1234567890123456789.');
}
