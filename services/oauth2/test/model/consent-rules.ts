import { WEB_APP_URL } from '../replicas.ts';
import { type Answer, type Application, type Code, liveAccessOf, type Model, scopesIn } from './model.ts';

export interface ConsentRequest {
  readonly client_id: string;
  readonly scope?: string;
  readonly redirect_uri?: string;
  readonly state?: string;
  readonly response_type?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly guild_id?: string;
  readonly channel_id?: string;
  readonly permissions?: string;
}

/** An issued code, as returned by the service; undefined if it returned none. */
interface Issued {
  readonly code: string | undefined;
  /** The verifier of the challenge, for the exchange. */
  readonly code_verifier: string | undefined;
}

/** POST /oauth2/authorize/consent. */
export function consent(model: Model, account_id: string, request: ConsentRequest, issued: Issued): Answer {
  const judged = judge(model, account_id, request);
  if (typeof judged === 'string') return { error: judged };
  issue(model, judged, issued);
  return { ok: landing(judged.redirect_uri, { code: '*', state: request.state }) };
}

/** GET /oauth2/authorize with prompt=none. The account is undefined if nobody is signed in. */
export function silentConsent(
  model: Model,
  account_id: string | undefined,
  request: ConsentRequest,
  issued: Issued,
): Answer {
  const { redirect_uri = '', state } = request;
  const registered = model.applications.get(request.client_id)?.redirect_uris ?? [];
  const target = registered.includes(redirect_uri) ? redirect_uri : WEB_APP_URL;
  const refusal = (error: string) => ({ ok: landing(target, { error, state }) });
  if (account_id === undefined) return refusal('login_required');
  if (!/^(0|[1-9][0-9]*)$/.test(request.client_id)) return refusal('invalid_client');
  const judged = judge(model, account_id, request);
  if (typeof judged === 'string') return refusal('consent_required');
  const granted = liveAccessOf(model, account_id, judged.application_id).flatMap(({ scopes }) => scopes);
  if (!judged.scopes.every((scope) => scope === 'bot' || granted.includes(scope)))
    return refusal('consent_required');
  issue(model, judged, issued);
  return { ok: landing(judged.redirect_uri, { code: '*', state }) };
}

/** The redirect: parameters are added to those of the address. */
export function landing(uri: string, parameters: Readonly<Record<string, string | undefined>>) {
  const url = new URL(uri);
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return {
    place: url.origin + url.pathname,
    parameters: { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(given) },
  };
}

/** The checks of consent in their order. A string is the error of the first that fails. */
function judge(model: Model, account_id: string, request: ConsentRequest): Code | string {
  const { guild_id, channel_id, permissions = '0', scope, response_type = 'code' } = request;
  if (guild_id !== undefined && channel_id !== undefined) return '400 BAD_REQUEST';
  if (!/^-?[0-9]+$/.test(permissions)) return '400 invalid_permissions_integer';
  if (BigInt(permissions) < 0n) return '400 invalid_permissions_negative';
  const application = model.applications.get(request.client_id);
  if (application === undefined) return '400 invalid_client';
  const scopes = scopesIn(scope);
  if (scopes === undefined) return '400 invalid_scope';
  const isBotAlone = scopes.join() === 'bot';
  if (!isBotAlone && response_type !== 'code') return '400 invalid_response_type_for_non_bot';
  if (scopes.includes('bot') && !application.bot_public && application.owner_id !== account_id)
    return '403 FORBIDDEN';
  const target = targetOf(application, isBotAlone, request.redirect_uri);
  if (target.error !== undefined) return target.error;
  const challenge = challengeOf(application, request);
  if (challenge === '400 invalid_request') return challenge;
  const { redirect_uri } = target;
  return { application_id: application.id, account_id, scopes, redirect_uri, challenge };
}

function challengeOf(
  { client_secret }: Application,
  { redirect_uri, code_challenge: text = '', code_challenge_method: method = '' }: ConsentRequest,
): Code['challenge'] | '400 invalid_request' {
  const isPublic = client_secret === undefined;
  if (text === '') {
    const isNeeded = isPublic && redirect_uri !== undefined;
    return method !== '' || isNeeded ? '400 invalid_request' : undefined;
  }
  if (!['', 'plain', 'S256'].includes(method) || !hasPkceForm(text, method)) return '400 invalid_request';
  if (isPublic && method !== 'S256') return '400 invalid_request';
  return { text, method: method === 'S256' ? 'S256' : 'plain' };
}

function targetOf(
  application: Application,
  isBotAlone: boolean,
  redirect_uri: string | undefined,
): { readonly error: string } | { readonly error?: undefined; readonly redirect_uri: string } {
  if (redirect_uri === undefined)
    return isBotAlone && !application.bot_require_code_grant
      ? { redirect_uri: WEB_APP_URL }
      : { error: '400 missing_redirect_uri' };
  if (!application.redirect_uris.includes(redirect_uri)) return { error: '400 invalid_redirect_uri' };
  return { redirect_uri };
}

export function hasPkceForm(text: string, method: string): boolean {
  return /^[A-Za-z0-9._~-]{1,128}$/.test(text) && (method !== 'S256' || text.length >= 43);
}

function issue(model: Model, code: Code, { code: value, code_verifier }: Issued): void {
  if (value === undefined) return; // The responses differ, which is reported.
  const { application_id, redirect_uri } = code;
  model.codes.set(value, code);
  model.seen.code.push({ value, application_id, redirect_uri, code_verifier });
}
