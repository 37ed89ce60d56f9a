import { Fault, Status } from '@gatehouse/kit/fault';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { AuthorizedUser } from '@gatehouse/proto/oauth2';
import type pg from 'pg';
import type { Oauth2 } from '../oauth2.ts';
import { IN_TIME, whoIs } from '../requests.ts';
import { basicOf, formOf } from '../tokens.ts';
import { type ConsentRequest, landing } from './consent-rules.ts';
import type { ClientForm, Pair, TokenForm } from './grant-rules.ts';
import type { Answer } from './model.ts';
import type { TokenQuestion } from './token-rules.ts';

/** The service under test. */
export interface Service {
  readonly replicas: readonly Oauth2[];
  readonly db: pg.Pool;
  /** The outcomes of commands, by name: they show how much a run has covered. */
  readonly outcomes: Set<string>;
}

const HTTP_STATUS: Readonly<Record<number, number>> = {
  [Status.INVALID_ARGUMENT]: 400,
  [Status.FAILED_PRECONDITION]: 400,
  [Status.UNAUTHENTICATED]: 401,
  [Status.PERMISSION_DENIED]: 403,
  [Status.NOT_FOUND]: 404,
};

/** An error as in the model: its status, and the OAuth2 name at the start of its message, or else its code. */
export async function answerOf<T>(
  call: Promise<T>,
): Promise<{ readonly ok: T } | { readonly error: string }> {
  try {
    return { ok: await call };
  } catch (error) {
    const status = error instanceof Fault ? HTTP_STATUS[error.status] : undefined;
    if (!(error instanceof Fault) || status === undefined) throw error;
    const name = error.message.split(':')[0] ?? '';
    return { error: `${status} ${name.toUpperCase() === error.reason ? name : error.reason}` };
  }
}

export const personCaller = (account_id: string): Caller => ({
  ...anonymous,
  kind: CallerKind.CALLER_KIND_SESSION,
  account_id,
  credential_id: '1',
});

export const as = (account_id: string) => ({ ...IN_TIME, caller: personCaller(account_id) });

/** Replaces a code in an address by a star. */
interface Sent {
  readonly answer: Answer;
  readonly code: string | undefined;
}

export function consent(oauth2: Oauth2, account_id: string, request: ConsentRequest): Promise<Sent> {
  return sent(oauth2.grantConsent(request, as(account_id)).then(({ redirect_to }) => redirect_to));
}

export function silentConsent(
  oauth2: Oauth2,
  account_id: string | undefined,
  request: ConsentRequest,
): Promise<Sent> {
  const query = new URLSearchParams({ ...request, prompt: 'none' }).toString();
  const caller = account_id === undefined ? anonymous : personCaller(account_id);
  return sent(oauth2.authorize({ query }, { ...IN_TIME, caller }).then(({ location }) => location));
}

async function sent(call: Promise<string>): Promise<Sent> {
  const answer = await answerOf(call);
  if ('error' in answer) return { answer, code: undefined };
  const code = new URL(answer.ok).searchParams.get('code') ?? undefined;
  const isCode = code !== undefined && /^[A-Za-z0-9_-]{43}$/.test(code);
  return { answer: { ok: landing(answer.ok, isCode ? { code: '*' } : {}) }, code };
}

export async function exchange(
  oauth2: Oauth2,
  form: TokenForm,
): Promise<{ answer: Answer; pair: Pair | undefined }> {
  const answer = await answerOf(oauth2.exchangeToken(tokenRequest(form), IN_TIME));
  if ('error' in answer) return { answer, pair: undefined };
  const { access_token, refresh_token, ...rest } = answer.ok;
  return { answer: { ok: rest }, pair: { access_token, refresh_token } };
}

export function introspect(oauth2: Oauth2, question: TokenQuestion): Promise<Answer> {
  return answerOf(oauth2.introspectToken(tokenRequest(question), IN_TIME).then(present));
}

export function revoke(oauth2: Oauth2, question: TokenQuestion): Promise<Answer> {
  return answerOf(oauth2.revokeToken(tokenRequest(question), IN_TIME));
}

export async function userInfo(oauth2: Oauth2, token: string): Promise<Answer> {
  const caller = await holderOf(oauth2, token);
  return answerOf(oauth2.getUserInfo({}, { ...IN_TIME, caller }).then(presentUser));
}

export async function current(oauth2: Oauth2, token: string): Promise<Answer> {
  const caller = await holderOf(oauth2, token);
  const call = oauth2.getCurrentAuthorization({}, { ...IN_TIME, caller });
  return answerOf(
    call.then(({ expires, user, ...rest }) => ({
      ...rest,
      expires: Date.parse(expires) / 1000,
      ...(user != null && { user: presentUser(user) }),
    })),
  );
}

/** The order of scopes is undefined. */
export function authorizations(oauth2: Oauth2, account_id: string): Promise<Answer> {
  const call = oauth2.listAuthorizations({}, as(account_id));
  return answerOf(
    call.then(({ authorizations: listed }) =>
      listed
        .map(({ application, scopes }) => ({ application, scopes: scopes.toSorted() }))
        .sort((a, b) => Number(BigInt(a.application?.id ?? 0) - BigInt(b.application?.id ?? 0))),
    ),
  );
}

/** The clock of the database cannot be advanced, so all of its rows are moved into the past. */
export async function stepClock({ db }: Service, seconds: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - $1::double precision * interval '1 second'`;
  await db.query(`UPDATE access_tokens SET ${earlier('created_at')}, ${earlier('expires_at')}`, [seconds]);
  for (const table of ['refresh_tokens', 'authorization_codes'])
    await db.query(`UPDATE ${table} SET ${earlier('created_at')}`, [seconds]);
}

/** The caller of an access token, as the edge sends it. */
async function holderOf(oauth2: Oauth2, token: string): Promise<Caller> {
  const identity = await whoIs(oauth2, token);
  if (identity === undefined) return anonymous;
  return { ...anonymous, ...identity, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN };
}

function tokenRequest({ basic, ...members }: ClientForm) {
  const authorization = basic && basicOf(basic.client_id, basic.client_secret);
  const given = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...formOf(Object.fromEntries(given)), authorization };
}

/** As the edge writes it: null members are left out. */
function present<T extends object>(message: T): Partial<T> {
  const members = Object.entries(message).filter(([, value]) => value !== null);
  return Object.fromEntries(members) as Partial<T>; // fewer of the same
}

function presentUser({ email, verified, ...rest }: AuthorizedUser) {
  return { ...rest, ...present({ email, verified }) };
}
