import { describe, expect, it } from 'vitest';
import { base32 } from '../src/account/two-factor/base32.ts';
import { inGroups, newTotpSecret, otpauthUri } from '../src/account/two-factor/totp-secret.ts';

describe('base32', () => {
  it('encodes the examples of RFC 4648, section 10, without padding', () => {
    const examples = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB' };
    for (const [text, encoded] of Object.entries(examples))
      expect(base32(new TextEncoder().encode(text))).toBe(encoded);
    expect(base32(new TextEncoder().encode('foobar'))).toBe('MZXW6YTBOI');
  });

  it('encodes any byte', () => {
    expect(base32(new Uint8Array([0, 255, 128, 1, 254]))).toBe('AD7YAAP6');
  });
});

describe('a secret', () => {
  it('has 160 bits, and is random', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('is shown in groups of four', () => {
    expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ');
    expect(inGroups('ABCDEFGH')).toBe('ABCD EFGH');
  });
});

it('an otpauth URI names the issuer and the account, with any characters', () => {
  const uri = new URL(otpauthUri('MZXW6YTB', 'a+b?c&d:e@example.com'));
  expect(uri.protocol + uri.host).toBe('otpauth:totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Gatehouse:a+b?c&d:e@example.com');
  expect(uri.pathname).not.toMatch(/[?&]|:.*:/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: 'MZXW6YTB', issuer: 'Gatehouse' });
  expect(uri.hash).toBe('');
});
