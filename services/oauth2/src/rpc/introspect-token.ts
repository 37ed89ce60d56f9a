import type { Handler } from '@gatehouse/kit/rpc';
import type { IntrospectTokenRequest, IntrospectTokenResponse } from '@gatehouse/proto/oauth2';
import { openTokenRequest } from '../clients/token-request.ts';
import type { Deps } from '../deps.ts';
import type { Token } from '../store/find-tokens.ts';

/** A token of another application is active too (docs/oauth2.md#foreign-tokens). */
export function introspectToken(deps: Deps): Handler<IntrospectTokenRequest, IntrospectTokenResponse> {
  return async (request) => {
    const { token } = await openTokenRequest(deps, request);
    return token === undefined ? { active: false } : active(token);
  };
}

function active({ kind, application_id, account_id, scopes, created_at, expires_at }: Token) {
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: application_id,
    token_type: kind === 'access' ? 'Bearer' : 'refresh_token',
    iat: unixSeconds(created_at),
    exp: expires_at === null ? undefined : unixSeconds(expires_at),
    sub: account_id,
  };
}

function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
