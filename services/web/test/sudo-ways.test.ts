import { expect, it } from 'vitest';
import { sudoWays } from '../src/shared/sudo/sudo-ways.ts';

const PASSWORD = { has_mfa: false, password: true, totp: false, webauthn: false };
const TOTP = { has_mfa: true, password: false, totp: true, webauthn: false };
const PASSKEY = { has_mfa: true, password: false, totp: false, webauthn: true };
const BOTH = { ...TOTP, webauthn: true };

it('a proof is the password, or with a second factor a passkey or a code, if available', () => {
  expect(sudoWays(PASSWORD, true)).toEqual(['password']);
  expect(sudoWays(TOTP, true)).toEqual(['code']);
  expect(sudoWays(PASSKEY, true)).toEqual(['passkey', 'code']);
  expect(sudoWays(PASSKEY, false)).toEqual(['code']);
  expect(sudoWays(BOTH, true)).toEqual(['passkey', 'code']);
  expect(sudoWays(BOTH, false)).toEqual(['code']);
});
