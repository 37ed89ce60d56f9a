import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { Connections } from '../connections.ts';
import type { RequestContext } from '../request-context.ts';

const IDENTIFY_TIMEOUT_MS = 2_000;
const MAX_USER_AGENT_LENGTH = 512;

/**
 * Identifies the caller at the service that issues this kind of credential. Without a live credential the caller is
 * anonymous.
 */
export async function identify(context: RequestContext, connections: Connections): Promise<Caller> {
  const caller = await callerOf(context, connections);
  context.application_id = caller.application_id;
  return caller;
}

/** A body that takes longer is late. Most bodies arrive with their head, and cost no further call. */
const LATE_MS = 250;

/**
 * Identifies the caller of a late body again: its credential may have ended while the client held the body back
 * (docs/credentials.md#late-bodies).
 *
 * @param identified_ms when `identify` answered, by performance.now()
 */
export function identifyAgain(
  context: RequestContext,
  caller: Caller,
  identified_ms: number,
  connections: Connections,
): Caller | Promise<Caller> {
  const isLate = performance.now() - identified_ms > LATE_MS;
  return isLate && caller.credential_id !== '' && context.credential !== undefined
    ? identify(context, connections)
    : caller;
}

async function callerOf(context: RequestContext, { auth, oauth2 }: Connections): Promise<Caller> {
  const { credential, requestId } = context;
  const caller = anonymous(context);
  if (credential === undefined) return caller;
  const { kind, token } = credential;
  const options = { timeoutMs: IDENTIFY_TIMEOUT_MS, requestId };
  switch (kind) {
    case CallerKind.CALLER_KIND_SESSION:
    case CallerKind.CALLER_KIND_BOT: {
      const { identity } = await auth.client.identify({ kind, token }, options);
      if (identity === null || identity === undefined) return caller;
      const { account_id, credential_id } = identity;
      const application_id = kind === CallerKind.CALLER_KIND_BOT ? account_id : '';
      return { ...caller, kind, account_id, credential_id, application_id };
    }
    case CallerKind.CALLER_KIND_ACCESS_TOKEN: {
      const { identity } = await oauth2.client.identify({ token }, options);
      return identity === null || identity === undefined ? caller : { ...caller, kind, ...identity };
    }
    case CallerKind.CALLER_KIND_UNSPECIFIED:
      return caller;
  }
}

/** The caller of a request without a live credential. */
export function anonymous({ ip, request, acceptLanguage }: RequestContext): Caller {
  return {
    kind: CallerKind.CALLER_KIND_UNSPECIFIED,
    account_id: '',
    credential_id: '',
    application_id: '',
    scopes: [],
    ip,
    user_agent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    ...(acceptLanguage !== undefined && { accept_language: acceptLanguage }),
  };
}
