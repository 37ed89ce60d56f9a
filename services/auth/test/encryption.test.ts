import { Fault } from '@gatehouse/kit/fault';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSeals } from '../src/encryption/encryption.ts';

const OLD = 'the key of last year, long enough';
const NEW = 'the key of this year, long enough';

test('what is sealed is opened again, and tells nothing meanwhile', () => {
  const seals = openSeals([OLD]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), (text) => {
      const sealed = seals.seal(text, 'totp:1');
      expect(seals.open(sealed, 'totp:1')).toBe(text);
      expect(sealed.includes(Buffer.from(text))).toBe(false);
      expect(sealed.equals(seals.seal(text, 'totp:1'))).toBe(false);
    }),
  );
});

test('in another context, or with one bit changed, it cannot be opened', () => {
  const seals = openSeals([OLD]);
  const sealed = seals.seal('secret', 'totp:1');
  expect(() => seals.open(sealed, 'totp:2')).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => seals.open(changed, 'totp:1')).toThrow();
  }
});

test('a newer key seals; the older ones still open', () => {
  const before = openSeals([OLD]);
  const between = openSeals([NEW, OLD]);
  const after = openSeals([NEW]);
  expect(between.open(before.seal('secret', 'c'), 'c')).toBe('secret');
  expect(after.open(between.seal('secret', 'c'), 'c')).toBe('secret');
  expect(() => after.open(before.seal('secret', 'c'), 'c')).toThrow(Fault);

  const [newest, older] = between.macs('code', 'backup:1');
  expect(older).toEqual(before.macs('code', 'backup:1')[0]);
  expect(newest).toEqual(after.macs('code', 'backup:1')[0]);
  expect(newest).not.toEqual(after.macs('code', 'backup:2')[0]);
});
