import type { Handler } from '@gatehouse/kit/rpc';
import type { IdentifyRequest, IdentifyResponse } from '@gatehouse/proto/oauth2';
import { credentialHash, isAccessToken } from '../credentials.ts';
import type { Deps } from '../deps.ts';

export function identify(deps: Deps): Handler<IdentifyRequest, IdentifyResponse> {
  return async ({ token }) => ({ identity: await deps.batched.findIdentity(tokenHash(token)) });
}

/** A malformed token is looked up by a hash that no token has, so that it takes as long as any other. */
function tokenHash(token: string): string {
  return credentialHash(isAccessToken(token) ? token : `no token: ${token.slice(0, 64)}`);
}
