import { expect, test } from 'vitest';
import {
  type AuthorizeRequest,
  authorizeUrl,
  idProblem,
  urlLines,
} from '../src/developers/authorization/authorize-url.ts';
import { PERMISSION_GROUPS } from '../src/developers/authorization/permission-groups.ts';
import { needsRedirect } from '../src/developers/authorization/scopes.ts';
import { maskOf, PERMISSIONS } from '../src/shared/permissions.ts';
import type { Scope } from '../src/shared/scopes.ts';

const REQUEST: AuthorizeRequest = {
  client_id: '1234567890123456789',
  scopes: new Set<Scope>(['email', 'identify']),
  redirect_uri: 'https://clock.example/callback?a=b&c',
  state: '',
  code_challenge: '',
  permissions: 0n,
  guild_id: '',
  disable_guild_select: false,
};
const parametersOf = (request: Partial<AuthorizeRequest>) =>
  Object.fromEntries(new URL(authorizeUrl('https://x.example', { ...REQUEST, ...request })).searchParams);

test('an authorization URL has the parameters that are set, and no others', () => {
  expect(authorizeUrl('https://x.example', REQUEST)).toBe(
    'https://x.example/api/v1/oauth2/authorize?client_id=1234567890123456789&response_type=code' +
      '&scope=identify+email&redirect_uri=https%3A%2F%2Fclock.example%2Fcallback%3Fa%3Db%26c',
  );
  expect(parametersOf({ state: 'a b&c', code_challenge: 'x'.repeat(43) })).toMatchObject({
    state: 'a b&c',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
});

test('a URL is shown with one parameter per line', () => {
  expect(urlLines('https://x.example/a?b=c&d=https%3A%2F%2Fe%26f')).toBe(
    'https://x.example/a\n  ?b=c\n  &d=https://e%26f',
  );
});

test('bot parameters need the scope bot', () => {
  const bot = { permissions: (1n << 54n) | 8n, guild_id: '42', disable_guild_select: true };
  expect(parametersOf(bot)).toEqual(parametersOf({}));
  expect(parametersOf({ ...bot, scopes: new Set<Scope>(['bot']), redirect_uri: '' })).toEqual({
    client_id: REQUEST.client_id,
    response_type: 'code',
    scope: 'bot',
    permissions: '18014398509481992',
    guild_id: '42',
    disable_guild_select: 'true',
  });
});

test('each permission is in one group, and all groups together have all bits', () => {
  const grouped = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions);
  expect(grouped.map(({ name }) => name).sort()).toEqual(PERMISSIONS.map(({ name }) => name).sort());
  expect(parametersOf({ scopes: new Set<Scope>(['bot']), permissions: maskOf(grouped) })).toMatchObject({
    permissions: '33787032395841535',
  });
});

test('only a bot without a code needs no redirect URI', () => {
  expect(needsRedirect(new Set(['bot']), false)).toBe(false);
  expect(needsRedirect(new Set(['bot']), true)).toBe(true);
  expect(needsRedirect(new Set(['bot', 'identify']), false)).toBe(true);
});

test.each(['', '0', '1234567890123456789', '9223372036854775807'])('%j is accepted as a guild ID', (text) => {
  expect(idProblem(text)).toBeUndefined();
});

test.each(['a', '01', '-1', '1.0', ' 1', '9223372036854775808', '12345678901234567890'])(
  '%j is rejected as a guild ID',
  (text) => {
    expect(idProblem(text)).toContain('only digits');
  },
);
