import type { IncomingMessage } from 'node:http';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { countOf } from '../raw-headers.ts';
import type { Credential, RequestContext } from '../request-context.ts';
import type { Connections } from '../services.ts';

const IDENTIFY_TIMEOUT_MS = 2_000;
const MAX_USER_AGENT = 512;

/** 32 random bytes in base64url; a session token is shorter (docs/credentials.md#token-formats). */
const ACCESS_TOKEN_LENGTH = 43;
const ACCESS_TOKEN = /^[A-Za-z0-9_-]+$/;
/** Far above every format: what is longer is not sent around to be found unknown. */
const MAX_TOKEN = 256;

/** Nobody's: what is malformed is looked up like what is unknown, so that both take as long. */
const NOBODYS: Credential = { kind: CallerKind.CALLER_KIND_SESSION, token: '' };

/**
 * Reads the Authorization header (docs/credentials.md#authorization-header); undefined when none came.
 * Two headers, another scheme or other spacing are malformed, and stand for nobody.
 */
export function readCredential(raw: IncomingMessage): Credential | undefined {
  const header = raw.headers.authorization;
  if (header === undefined) return undefined;
  const match = /^(?:(Bot|Bearer) )?([\x21-\x7e]+)$/.exec(header);
  if (match === null || countOf(raw.rawHeaders, 'authorization') > 1) return NOBODYS;
  const [, scheme, token = ''] = match;
  if (token.length > MAX_TOKEN) return NOBODYS;
  if (scheme === 'Bot') return { kind: CallerKind.CALLER_KIND_BOT, token };
  // Sessions and access tokens share Bearer and are told apart by format; a bare value is a session.
  if (scheme === 'Bearer' && token.length === ACCESS_TOKEN_LENGTH && ACCESS_TOKEN.test(token))
    return { kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, token };
  return { kind: CallerKind.CALLER_KIND_SESSION, token };
}

/** The caller that no live credential names. */
export function anonymous(ip: string, userAgent = ''): Caller {
  return {
    kind: CallerKind.CALLER_KIND_UNSPECIFIED,
    account_id: '',
    credential_id: '',
    application_id: '',
    scopes: [],
    ip,
    user_agent: userAgent.slice(0, MAX_USER_AGENT),
  };
}

/**
 * Asks the owner of the credential's kind whom it stands for; the caller stays anonymous when it is not live.
 * Without a credential there is nothing to ask.
 */
export async function identify(context: RequestContext, { auth, oauth2 }: Connections): Promise<void> {
  const { credential, requestId, caller } = context;
  if (credential === undefined) return;
  const { kind, token } = credential;
  const options = { timeoutMs: IDENTIFY_TIMEOUT_MS, requestId };
  switch (kind) {
    case CallerKind.CALLER_KIND_SESSION:
    case CallerKind.CALLER_KIND_BOT: {
      const { identity } = await auth.client.identify({ kind, token }, options);
      if (identity === null || identity === undefined) return;
      const { account_id, credential_id } = identity;
      const application_id = kind === CallerKind.CALLER_KIND_BOT ? account_id : '';
      context.caller = { ...caller, kind, account_id, credential_id, application_id };
      return;
    }
    case CallerKind.CALLER_KIND_ACCESS_TOKEN: {
      const { identity } = await oauth2.client.identify({ token }, options);
      if (identity !== null && identity !== undefined) context.caller = { ...caller, kind, ...identity };
      return;
    }
    case CallerKind.CALLER_KIND_UNSPECIFIED:
  }
}
