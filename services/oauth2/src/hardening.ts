import type { EnvReader } from '@gatehouse/kit/env';

/** Rules that are stricter than the API's own; all are off by default (docs/oauth2.md#hardening). */
export interface Hardening {
  /** Undefined: unlimited. */
  readonly code_lifetime_seconds: number | undefined;
  /** Counted from the issue of the token. Undefined: unlimited. */
  readonly refresh_token_lifetime_days: number | undefined;
  readonly require_s256: boolean;
  readonly introspect_own_tokens_only: boolean;
  readonly revoke_on_replay: boolean;
  readonly callback_issuer: boolean;
}

export function readHardening(read: EnvReader): Hardening {
  return {
    code_lifetime_seconds: read.optionalInteger('OAUTH2_CODE_LIFETIME_SECONDS', {
      about: 'seconds within which an authorization code can be exchanged (docs/oauth2.md#hardening)',
      min: 10,
      max: 86_400,
      unset: 'until it is used',
    }),
    refresh_token_lifetime_days: read.optionalInteger('OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS', {
      about: 'days within which a refresh token can be exchanged',
      min: 1,
      max: 3650,
      unset: 'until it is used',
    }),
    require_s256: read.flag('OAUTH2_REQUIRE_S256', {
      about: 'whether a request whose code goes to a client must have an S256 challenge (PKCE)',
      default: false,
    }),
    introspect_own_tokens_only: read.flag('OAUTH2_INTROSPECT_OWN_TOKENS_ONLY', {
      about: 'whether introspection reports the tokens of other applications as inactive',
      default: false,
    }),
    revoke_on_replay: read.flag('OAUTH2_REVOKE_ON_REPLAY', {
      about: 'whether a used code or refresh token that its client presents again ends the grant',
      default: false,
    }),
    callback_issuer: read.flag('OAUTH2_CALLBACK_ISSUER', {
      about: 'whether callbacks have the parameter `iss` (RFC 9207)',
      default: false,
    }),
  };
}
