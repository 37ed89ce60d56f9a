import type { IncomingMessage } from 'node:http';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { headerCount } from './request-headers.ts';

/** A credential of the Authorization header. It may be unknown or expired. */
export interface Credential {
  readonly kind: CallerKind;
  readonly token: string;
}

/** 32 random bytes in base64url; a session token is shorter (docs/credentials.md#token-formats). */
const ACCESS_TOKEN_LENGTH = 43;
const ACCESS_TOKEN = /^[A-Za-z0-9_-]+$/;
/** Longer than any valid token. A longer value counts as malformed, and is not sent to a service. */
const MAX_TOKEN_LENGTH = 256;

/** A malformed header is looked up like an unknown token, so that both take the same time. */
export const MALFORMED: Credential = { kind: CallerKind.CALLER_KIND_SESSION, token: '' };
/** For routes whose header is also an application's, such as HTTP Basic. A malformed one needs no look-up there. */
export const NOT_OURS: Credential = { kind: CallerKind.CALLER_KIND_UNSPECIFIED, token: '' };

/**
 * Reads the Authorization header (docs/credentials.md#authorization-header); undefined without one. Two headers,
 * another scheme and other spacing are malformed.
 */
export function readCredential(raw: IncomingMessage, malformed = MALFORMED): Credential | undefined {
  const header = raw.headers.authorization;
  if (header === undefined) return undefined;
  const match = /^(?:(Bot|Bearer) )?([\x21-\x7e]+)$/.exec(header);
  if (match === null || headerCount(raw.rawHeaders, 'authorization') > 1) return malformed;
  const [, scheme, token = ''] = match;
  if (token.length > MAX_TOKEN_LENGTH) return malformed;
  if (scheme === 'Bot') return { kind: CallerKind.CALLER_KIND_BOT, token };
  // Sessions and access tokens share Bearer and differ in format. A value without a scheme is a session.
  if (scheme === 'Bearer' && token.length === ACCESS_TOKEN_LENGTH && ACCESS_TOKEN.test(token))
    return { kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, token };
  return { kind: CallerKind.CALLER_KIND_SESSION, token };
}
