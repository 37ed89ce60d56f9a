import type { EnvReader } from '@gatehouse/kit/env';

/** Rules that are stricter than the API's own; all are off by default (docs/oauth2.md#hardening). */
export interface Hardening {
  /** Undefined: codes live until they are used. */
  readonly code_lifetime_seconds: number | undefined;
  /** Counted from the issue of the token. Undefined: it lives until it is used. */
  readonly refresh_token_lifetime_days: number | undefined;
  /** Whether requests need an S256 challenge if their code goes to a client. */
  readonly require_s256: boolean;
  /** Whether the tokens of other applications are inactive at introspection. */
  readonly introspect_own_tokens_only: boolean;
  /** Whether a replay of a consumed code or refresh token by its client ends the grant. */
  readonly revoke_on_replay: boolean;
  /** Whether callbacks have the parameter `iss`. */
  readonly callback_issuer: boolean;
}

export function readHardening(read: EnvReader): Hardening {
  return {
    code_lifetime_seconds: read.optionalInteger('OAUTH2_CODE_LIFETIME_SECONDS', { min: 10, max: 86_400 }),
    refresh_token_lifetime_days: read.optionalInteger('OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS', {
      min: 1,
      max: 3650,
    }),
    require_s256: read.flag('OAUTH2_REQUIRE_S256', false),
    introspect_own_tokens_only: read.flag('OAUTH2_INTROSPECT_OWN_TOKENS_ONLY', false),
    revoke_on_replay: read.flag('OAUTH2_REVOKE_ON_REPLAY', false),
    callback_issuer: read.flag('OAUTH2_CALLBACK_ISSUER', false),
  };
}
