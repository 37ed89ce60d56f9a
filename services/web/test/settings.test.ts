import { expect, test } from 'vitest';
import { hashOf, routeOf } from '../src/developers/route.ts';
import { changesOf, isValid, type Settings } from '../src/developers/settings/settings.ts';

const SAVED: Settings = {
  name: 'Clock',
  redirect_uris: ['https://clock.example/callback'],
  bot_public: true,
  bot_require_code_grant: false,
};

test('only changed settings are sent', () => {
  expect(changesOf(SAVED, SAVED)).toEqual({});
  expect(
    changesOf(SAVED, { ...SAVED, name: ' Clock ', redirect_uris: [...SAVED.redirect_uris, ''] }),
  ).toEqual({});
  expect(changesOf(SAVED, { ...SAVED, name: 'Bell', bot_public: false })).toEqual({
    name: 'Bell',
    bot_public: false,
  });
  expect(changesOf(SAVED, { ...SAVED, redirect_uris: [] })).toEqual({ redirect_uris: [] });
});

test('settings that the server would refuse are not sent', () => {
  const uris = Array.from({ length: 11 }, (_, index) => `https://clock.example/${index}`);
  expect(isValid(SAVED)).toBe(true);
  expect(isValid({ ...SAVED, redirect_uris: uris.slice(0, 10) })).toBe(true);
  expect(isValid({ ...SAVED, redirect_uris: uris })).toBe(false);
  expect(isValid({ ...SAVED, redirect_uris: ['http://clock.example'] })).toBe(false);
  expect(isValid({ ...SAVED, name: '😀'.repeat(100) })).toBe(true);
  for (const name of ['', '  ', 'x'.repeat(101)]) expect(isValid({ ...SAVED, name })).toBe(false);
});

test('the fragment names the view', () => {
  expect(routeOf('')).toEqual({ view: 'list' });
  expect(routeOf('#all')).toEqual({ view: 'list' });
  expect(routeOf('#new')).toEqual({ view: 'new' });
  for (const tab of ['settings', 'bot', 'link', 'try'] as const)
    expect(routeOf(hashOf('42', tab))).toEqual({ view: 'application', id: '42', tab });
  for (const hash of ['#x', '#4x', '#/', '#42/nothing', '#42/bot/x', '#42/toString', `#${'1'.repeat(20)}`])
    expect(routeOf(hash)).toEqual({ view: 'unknown' });
});
