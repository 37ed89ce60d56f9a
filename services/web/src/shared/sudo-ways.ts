import type { GetSudoMethodsResponse } from '@gatehouse/proto/auth';

export type SudoMethods = Pick<GetSudoMethodsResponse, 'password' | 'totp' | 'webauthn' | 'has_mfa'>;
/** How someone proves who they are. */
export type SudoWay = 'password' | 'passkey' | 'code';

/**
 * The ways that are open on this page, the easiest first (docs/credentials.md#sudo-mode). An account with a second
 * factor has backup codes, so a code is always possible there.
 */
export function sudoWays({ has_mfa, webauthn }: SudoMethods, passkeysWork: boolean): readonly SudoWay[] {
  if (!has_mfa) return ['password'];
  return webauthn && passkeysWork ? ['passkey', 'code'] : ['code'];
}
