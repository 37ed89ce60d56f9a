import type { GetSudoMethodsResponse } from '@gatehouse/proto/auth';

export type SudoMethods = Pick<GetSudoMethodsResponse, 'password' | 'totp' | 'webauthn' | 'has_mfa'>;
/** The kinds of sudo proof. */
export type ProofKind = 'password' | 'passkey' | 'code';

/** The kinds that are available on this page, the easiest first (docs/credentials.md#sudo-mode). */
export function proofKinds(methods: SudoMethods, passkeysWork: boolean): readonly ProofKind[] {
  if (!methods.has_mfa) return ['password'];
  // A backup code works with any factor.
  return methods.webauthn && passkeysWork ? ['passkey', 'code'] : ['code'];
}
