import { expect, it } from 'vitest';
import { proofKinds } from '../src/shared/sudo/proof-kinds.ts';

const PASSWORD = { has_mfa: false, password: true, totp: false, webauthn: false };
const TOTP = { has_mfa: true, password: false, totp: true, webauthn: false };
const PASSKEY = { has_mfa: true, password: false, totp: false, webauthn: true };
const BOTH = { ...TOTP, webauthn: true };

it('sudo mode asks for the password, or with a second factor for an available passkey or a code', () => {
  expect(proofKinds(PASSWORD, true)).toEqual(['password']);
  expect(proofKinds(TOTP, true)).toEqual(['code']);
  expect(proofKinds(PASSKEY, true)).toEqual(['passkey', 'code']);
  expect(proofKinds(PASSKEY, false)).toEqual(['code']);
  expect(proofKinds(BOTH, true)).toEqual(['passkey', 'code']);
  expect(proofKinds(BOTH, false)).toEqual(['code']);
});
