import { expect } from 'vitest';
import { type ClientForm, clientOf, isPublic } from './grant-rules.ts';
import {
  type Answer,
  type Authorization,
  drop,
  expiresAt,
  issuedAt,
  liveAccess,
  liveAccessOf,
  type Model,
  type Token,
} from './model.ts';

export interface TokenQuestion extends ClientForm {
  readonly token: string;
  readonly token_type_hint?: string;
}

/** Tolerance in seconds between the clocks of the machine and the database, and between a call and its response. */
const about = (seconds: number): unknown => expect.closeTo(seconds, -1);

/** POST /oauth2/introspect. Tokens of other applications are active too, except to a public client. */
export function introspect(model: Model, question: TokenQuestion): Answer {
  const client = clientOf(model, question);
  if (client.error !== undefined) return { error: client.error };
  const access = liveAccess(model, question.token);
  const token = access ?? model.refresh.get(question.token);
  const isHidden = isPublic(model, client.id) && token?.application_id !== client.id;
  if (token === undefined || isHidden) return { ok: { active: false } };
  const { application_id: client_id, account_id: sub, scopes } = token;
  const all = { active: true, scope: scopes.join(' '), client_id, iat: about(issuedAt(model, token)), sub };
  return {
    ok:
      access === undefined
        ? { ...all, token_type: 'refresh_token' }
        : { ...all, token_type: 'Bearer', exp: about(expiresAt(model, token)) },
  };
}

/** POST /oauth2/token/revoke. A refresh token is found only with a hint, and a token of another application never. */
export function revoke(model: Model, question: TokenQuestion): Answer {
  const client = clientOf(model, question);
  if (client.error !== undefined) return { error: client.error };
  const isRefresh = question.token_type_hint === 'refresh_token';
  const token = isRefresh ? model.refresh.get(question.token) : liveAccess(model, question.token);
  if (token?.application_id === client.id) {
    const isGone = ofAuthorization(token.account_id, client.id);
    drop(model.codes, isGone);
    drop(model.access, isGone);
    drop(model.refresh, isGone);
  }
  return { ok: {} };
}

/** GET /oauth2/userinfo. */
export function userInfo(model: Model, value: string): Answer {
  const token = liveAccess(model, value);
  if (token === undefined) return { error: '401 invalid_token' };
  if (!token.scopes.includes('identify')) return { error: '403 MISSING_OAUTH_SCOPE' };
  return { ok: { sub: token.account_id, ...userOf(model, token) } };
}

/** GET /oauth2/@me. */
export function current(model: Model, value: string): Answer {
  const token = liveAccess(model, value);
  const application = token && model.applications.get(token.application_id);
  if (token === undefined || application === undefined) return { error: '401 invalid_token' };
  const { id, name, bot_public, bot_require_code_grant } = application;
  const { scopes } = token;
  return {
    ok: {
      application: { id, name, icon: null, description: null, bot_public, bot_require_code_grant, flags: 0 },
      scopes,
      expires: about(expiresAt(model, token)),
      ...(scopes.includes('identify') && { user: userOf(model, token) }),
    },
  };
}

/** GET /oauth2/@me/authorizations, in the order of the IDs. */
export function authorizations(model: Model, account_id: string): Answer {
  const listed = [...model.applications.values()].flatMap(({ id, name }) => {
    const tokens = liveAccessOf(model, account_id, id);
    const scopes = [...new Set(tokens.flatMap((token) => token.scopes))].sort();
    return tokens.length === 0 ? [] : [{ application: { id, name }, scopes }];
  });
  return { ok: listed.sort((a, b) => Number(BigInt(a.application.id) - BigInt(b.application.id))) };
}

/** DELETE /oauth2/@me/authorizations/{application_id}: refresh tokens remain. */
export function deleteAuthorization(model: Model, account_id: string, application_id: string): Answer {
  drop(model.access, ofAuthorization(account_id, application_id));
  return { ok: {} };
}

/** POST /oauth2/@me/authorizations/revoke: all or nothing. */
export function revokeMany(model: Model, account_id: string, application_ids: readonly string[]): Answer {
  if (application_ids.some((id) => !/^(0|[1-9][0-9]*)$/.test(id))) return { error: '400 INVALID_FORM_BODY' };
  if (application_ids.some((id) => !model.applications.has(id))) return { error: '404 UNKNOWN_APPLICATION' };
  for (const id of application_ids) {
    drop(model.codes, ofAuthorization(account_id, id));
    drop(model.access, ofAuthorization(account_id, id));
    drop(model.refresh, ofAuthorization(account_id, id));
  }
  return { ok: {} };
}

function ofAuthorization(account_id: string, application_id: string) {
  return (of: Authorization) => of.account_id === account_id && of.application_id === application_id;
}

function userOf(model: Model, { account_id, scopes }: Token) {
  const person = model.people.find(({ id }) => id === account_id);
  if (person === undefined) throw new Error('the token has no user');
  const { id, display_name, email } = person;
  const user = { id, username: display_name, discriminator: '0', global_name: display_name, avatar: null };
  return scopes.includes('email') ? { ...user, email, verified: true } : user;
}
