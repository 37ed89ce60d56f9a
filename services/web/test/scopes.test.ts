import { expect, it } from 'vitest';
import { isScope, splitScopes } from '../src/shared/scopes.ts';

it.each([
  ['identify email', ['identify', 'email']],
  ['identify+email', ['identify', 'email']],
  ['  identify\t email\n+ + ', ['identify', 'email']],
  ['bot bot', ['bot']],
  ['', []],
  [' + ', []],
])('splits the scopes "%s" at blanks and plus signs, and drops what is doubled', (text, scopes) => {
  expect(splitScopes(text)).toEqual(scopes);
});

it('knows which names are scopes', () => {
  expect(isScope('identify')).toBe(true);
  for (const name of ['Identify', 'toString', '__proto__', 'openid', '']) expect(isScope(name)).toBe(false);
});
