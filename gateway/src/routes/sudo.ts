/**
 * What an inline proof counts against, as POST /auth/sudo does (docs/rate-limits.md#sudo-proofs); on every
 * route whose RPC says "+ sudo".
 */
export const SUDO_BUCKETS = {
  password: ['auth:sudo_pwd'],
  mfa_code: ['auth:sudo_mfa'],
  sudo_proof: ['auth:pk_assert'],
} as const;

/** Of bodies on /auth, and of others that hold a proof: they are read before the limits. */
export const AUTH_BODY_BYTES = 64 * 1024;
