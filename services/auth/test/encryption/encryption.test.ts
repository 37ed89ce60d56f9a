import { Fault } from '@gatehouse/kit/fault';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEncryption } from '../../src/encryption/encryption.ts';

const OLD = 'the key of last year, long enough';
const NEW = 'the key of this year, long enough';

test('a text is decrypted as it was encrypted, and the bytes do not show it', () => {
  const encryption = openEncryption([OLD]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), (text) => {
      const encrypted = encryption.encrypt(text, 'totp:1');
      expect(encryption.decrypt(encrypted, 'totp:1')).toBe(text);
      expect(encrypted.includes(Buffer.from(text))).toBe(false);
      expect(encrypted.equals(encryption.encrypt(text, 'totp:1'))).toBe(false);
    }),
  );
});

test('in another context, or with one bit changed, it cannot be decrypted', () => {
  const encryption = openEncryption([OLD]);
  const encrypted = encryption.encrypt('secret', 'totp:1');
  expect(() => encryption.decrypt(encrypted, 'totp:2')).toThrow();
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => encryption.decrypt(changed, 'totp:1')).toThrow();
  }
});

test('the newest key encrypts, and the older ones still decrypt', () => {
  const before = openEncryption([OLD]);
  const between = openEncryption([NEW, OLD]);
  const after = openEncryption([NEW]);
  expect(between.decrypt(before.encrypt('secret', 'c'), 'c')).toBe('secret');
  expect(after.decrypt(between.encrypt('secret', 'c'), 'c')).toBe('secret');
  expect(() => after.decrypt(before.encrypt('secret', 'c'), 'c')).toThrow(Fault);

  const [newest, older] = between.macs('code', 'backup:1');
  expect(older).toEqual(before.macs('code', 'backup:1')[0]);
  expect(newest).toEqual(after.macs('code', 'backup:1')[0]);
  expect(newest).not.toEqual(after.macs('code', 'backup:2')[0]);
});
