import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callbackUri } from '../../src/authorization/callback-uri.ts';
import { formDecoded } from '../../src/authorization/form-encoding.ts';

const uri = fc
  .tuple(fc.webUrl({ validSchemes: ['https'] }), fc.constantFrom('', '?', '?x', '?x=?', '?x=1&', '?a=%7e&&b'))
  .map(([base, query]) => base + query);

it('starts with the bytes of the URI, keeps its parameters, and has each new one once', () => {
  fc.assert(
    fc.property(uri, fc.string({ unit: 'binary', minLength: 1 }), (own, state) => {
      const location = callbackUri(own, { code: 'c', state });
      expect(location.startsWith(own)).toBe(true);
      const before = [...new URL(own).searchParams];
      expect([...new URL(location).searchParams]).toEqual([...before, ['code', 'c'], ['state', state]]);
      expect(location.slice(own.length)).toMatch(/^[\x21-\x7e]+$/);
    }),
  );
});

it('encodes text as URLSearchParams does, and bytes as they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const encoded = new URLSearchParams({ state: text }).toString();
      expect(callbackUri('https://a.test/', { state: text })).toBe(`https://a.test/?${encoded}`);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const [, encoded = ''] = callbackUri('https://a.test/', { state: bytes }).split('?state=');
      expect(Buffer.from(formDecoded(encoded))).toEqual(Buffer.from(bytes));
    }),
  );
});

it('is the URI itself if there is nothing to add', () => {
  for (const state of ['', undefined, null])
    expect(callbackUri('https://a.test/?', { state })).toBe('https://a.test/?');
});
