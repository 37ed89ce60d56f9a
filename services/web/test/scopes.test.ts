import { expect, it } from 'vitest';
import { isScope, splitScopes } from '../src/shared/scopes.ts';

it.each([
  ['identify email', ['identify', 'email']],
  ['identify+email', ['identify', 'email']],
  ['  identify\t email\n+ + ', ['identify', 'email']],
  ['bot bot', ['bot']],
  ['', []],
  [' + ', []],
])('splits the scopes "%s" at blanks and plus signs, without duplicates', (text, scopes) => {
  expect(splitScopes(text)).toEqual(scopes);
});

it('recognizes the names of scopes', () => {
  expect(isScope('identify')).toBe(true);
  for (const name of ['Identify', 'toString', '__proto__', 'openid', '']) expect(isScope(name)).toBe(false);
});
