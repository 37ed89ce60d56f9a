import type { Handler } from '@gatehouse/kit/rpc';
import type { IntrospectTokenRequest, IntrospectTokenResponse } from '@gatehouse/proto/oauth2';
import { lookUpToken } from '../clients/look-up-token.ts';
import type { Deps } from '../deps.ts';
import type { Token } from '../store/find-tokens.ts';

/**
 * A token that is refused is inactive. One of another application is active (docs/oauth2.md#foreign-tokens), except for a
 * public client, or if `introspect_own_tokens_only` is on.
 */
export function introspectToken(deps: Deps): Handler<IntrospectTokenRequest, IntrospectTokenResponse> {
  return async (request) => {
    const { application_id, isPublic, token } = await lookUpToken(deps, request);
    const isOwnOnly = isPublic || deps.hardening.introspect_own_tokens_only;
    const isHidden = isOwnOnly && token?.application_id !== application_id;
    return token === undefined || token.is_refused || isHidden ? { active: false } : active(token);
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
