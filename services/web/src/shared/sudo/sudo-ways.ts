import type { GetSudoMethodsResponse } from '@gatehouse/proto/auth';

export type SudoMethods = Pick<GetSudoMethodsResponse, 'password' | 'totp' | 'webauthn' | 'has_mfa'>;
/** The kinds of sudo proof. */
export type SudoWay = 'password' | 'passkey' | 'code';

/** The kinds that are available on this page, the easiest first (docs/credentials.md#sudo-mode). */
export function sudoWays(methods: SudoMethods, passkeysWork: boolean): readonly SudoWay[] {
  if (!methods.has_mfa) return ['password'];
  const ways: SudoWay[] = [];
  if (methods.webauthn && passkeysWork) ways.push('passkey');
  return [...ways, 'code']; // a backup code works with any factor
}
