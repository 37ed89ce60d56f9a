import { hash } from 'node:crypto';
import { hasPkceForm } from './consent-rules.ts';
import type { Answer, Code, Model } from './model.ts';

/** The credentials of a client: form parameters override HTTP Basic. */
export interface ClientForm {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly basic?: { readonly client_id: string; readonly client_secret: string };
}

export interface TokenForm extends ClientForm {
  readonly grant_type: string;
  readonly code?: string;
  readonly redirect_uri?: string;
  readonly code_verifier?: string;
  readonly refresh_token?: string;
}

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** POST /oauth2/token, with the pair in the response; undefined if there is none. */
export function exchange(model: Model, form: TokenForm, pair: Pair | undefined): Answer {
  const client = clientOf(model, form);
  if (client.error !== undefined) return { error: client.error };
  if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token')
    return { error: '400 unsupported_grant_type' };
  const isCode = form.grant_type === 'authorization_code';
  const given = (isCode ? form.code : form.refresh_token) ?? '';
  const grant = isCode ? model.codes.get(given) : model.refresh.get(given);
  const isRight =
    grant?.application_id === client.id && (!isCode || mayExchange(model, model.codes.get(given), form));
  if (grant === undefined || !isRight) return { error: '400 invalid_grant' };
  (isCode ? model.codes : model.refresh).delete(given);

  const { application_id, account_id, scopes } = grant;
  if (pair !== undefined) {
    const { stepped_seconds, seen } = model;
    const token = {
      application_id,
      account_id,
      scopes,
      issued_at_seconds: Date.now() / 1000,
      stepped_seconds,
    };
    model.access.set(pair.access_token, token);
    model.refresh.set(pair.refresh_token, token);
    seen.access.push({ value: pair.access_token, application_id });
    seen.refresh.push({ value: pair.refresh_token, application_id });
  }
  return { ok: { token_type: 'Bearer', expires_in: 604_800, scope: scopes.join(' ') } };
}

/** The application of a client, or why authentication fails. */
export function clientOf(
  model: Model,
  form: ClientForm,
): { readonly error: string } | { readonly error?: undefined; readonly id: string } {
  const client_id = form.client_id ?? form.basic?.client_id;
  const client_secret = form.client_secret ?? form.basic?.client_secret;
  const application = model.applications.get(client_id ?? '');
  if (application === undefined) return { error: '400 invalid_client' };
  if (client_secret === undefined && application.client_secret !== undefined)
    return { error: '400 invalid_request' };
  if (client_secret !== application.client_secret) return { error: '401 invalid_client_secret' };
  return { id: application.id };
}

export function isPublic(model: Model, application_id: string): boolean {
  const application = model.applications.get(application_id);
  return application !== undefined && application.client_secret === undefined;
}

/** Checks redirect URI and PKCE. */
function mayExchange(
  model: Model,
  code: Code | undefined,
  { redirect_uri, code_verifier }: TokenForm,
): boolean {
  if (code === undefined || code.redirect_uri !== redirect_uri) return false;
  const { challenge } = code;
  if (isPublic(model, code.application_id) && challenge?.method !== 'S256') return false;
  if (challenge === undefined || code_verifier === undefined)
    return challenge === undefined && code_verifier === undefined;
  if (!hasPkceForm(code_verifier, challenge.method)) return false;
  const proof = challenge.method === 'S256' ? hash('sha256', code_verifier, 'base64url') : code_verifier;
  return proof === challenge.text;
}
