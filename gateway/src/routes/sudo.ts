/**
 * The buckets of an inline proof, the same as those of POST /auth/sudo (docs/rate-limits.md#sudo-proofs). Every route
 * whose RPC needs sudo mode has them.
 */
export const SUDO_BUCKETS = {
  password: ['auth:sudo_pwd'],
  mfa_code: ['auth:sudo_mfa'],
  sudo_proof: ['auth:pk_assert'],
} as const;

/** Maximum length of bodies on /auth and of others with a proof: they are read before the limits. */
export const AUTH_BODY_BYTES = 64 * 1024;
