import { Fault, Status } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { findClientApplication } from '../store/clients.ts';
import { findGrantedScopes } from '../store/granted-scopes.ts';
import type { AuthorizeQuery } from './authorize-query.ts';
import { callbackUri } from './callback-uri.ts';
import { readConsent } from './consent.ts';
import { issueCode } from './issue-code.ts';
import { isRegistered } from './redirect-target.ts';
import { stateOf } from './state.ts';

type SilentGrantDeps = Pick<Deps, 'db' | 'auth' | 'prisma' | 'web_app_url' | 'iss' | 'hardening'>;

/**
 * The redirect of a request with prompt=none (docs/oauth2.md#prompt-none): the callback with a code, or the error
 * target. It installs nothing.
 */
export async function silentGrant(
  deps: SilentGrantDeps,
  query: AuthorizeQuery,
  /** Undefined if nobody is signed in. */
  account_id: string | undefined,
  call: Call,
): Promise<string> {
  const begun_ms = performance.now();
  const { request } = query;
  const state = stateOf(request);
  const refuse = async (error: string) =>
    callbackUri(await errorTarget(deps, query), { error, state, iss: deps.iss });
  if (account_id === undefined) return refuse('login_required');
  if (!isSnowflake(request.client_id ?? '')) return refuse('invalid_client');
  try {
    return (
      (await callbackWithCode(deps, query, account_id, call, begun_ms)) ?? (await refuse('consent_required'))
    );
  } catch (error) {
    if (isAccountGone(error)) return refuse('login_required');
    if (!isRefusal(error)) throw error;
    return refuse('consent_required');
  }
}

/**
 * The callback with a code; undefined if the user must be asked.
 *
 * @throws the errors of an invalid request
 */
async function callbackWithCode(
  deps: SilentGrantDeps,
  { request, hasRepeatedParameter }: AuthorizeQuery,
  account_id: string,
  call: Call,
  begun_ms: number,
): Promise<string | undefined> {
  const { guild_id, channel_id } = request;
  if (hasRepeatedParameter || !isSnowflake(guild_id ?? '0') || !isSnowflake(channel_id ?? '0'))
    return undefined;
  const consent = await readConsent(deps, request, account_id);
  const needed = consent.scopes.filter((scope) => scope !== 'bot');
  if (needed.length > 0) {
    const granted = await findGrantedScopes(deps.db, account_id, consent.application.id);
    if (!needed.every((scope) => granted.has(scope))) return undefined;
  }
  const code = await issueCode(deps, consent, account_id, call, begun_ms);
  return callbackUri(consent.redirect_uri, { code, state: stateOf(request), iss: deps.iss });
}

/** The URI for errors (docs/oauth2.md#error-target). */
async function errorTarget(
  { db, web_app_url }: SilentGrantDeps,
  { request: { client_id, redirect_uri } }: AuthorizeQuery,
): Promise<string> {
  if (redirect_uri == null || client_id == null || !isSnowflake(client_id)) return web_app_url;
  const application = await findClientApplication(db, client_id);
  return isRegistered(application, redirect_uri) ? redirect_uri : web_app_url;
}

/** Whether the signed-in account no longer exists. */
function isAccountGone(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.UNAUTHENTICATED;
}

/** Whether the request is at fault, rather than a service that it needs. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Fault &&
    (error.status === Status.INVALID_ARGUMENT || error.status === Status.PERMISSION_DENIED)
  );
}
