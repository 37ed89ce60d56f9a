import { expect, test } from 'vitest';
import { hashOf, routeOf } from '../src/developers/route.ts';
import { changesOf, isValid, legalUrlProblem, type Settings } from '../src/developers/settings/settings.ts';

const SAVED: Settings = {
  name: 'Clock',
  description: null,
  terms_url: null,
  privacy_url: null,
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
  expect(changesOf(SAVED, { ...SAVED, description: ' ', terms_url: '' })).toEqual({});
  expect(changesOf({ ...SAVED, description: 'Tells the time.' }, { ...SAVED, description: '' })).toEqual({
    description: null,
  });
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

test('a description and links are checked as the server does', () => {
  expect(isValid({ ...SAVED, description: '🕰️'.repeat(200) })).toBe(true);
  expect(isValid({ ...SAVED, description: 'x'.repeat(401) })).toBe(false);
  for (const url of ['', ' https://clock.example/terms ', 'HTTPS://clock.example'])
    expect(legalUrlProblem(url)).toBeUndefined();
  for (const url of [
    'clock.example',
    'http://clock.example',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    `https://a/${'x'.repeat(2048)}`,
  ])
    expect(isValid({ ...SAVED, privacy_url: url })).toBe(false);
});

test('the fragment names the view', () => {
  expect(routeOf('')).toEqual({ view: 'list' });
  expect(routeOf('#all')).toEqual({ view: 'list' });
  expect(routeOf('#new')).toEqual({ view: 'new' });
  for (const tab of ['settings', 'bot', 'link', 'try', 'usage'] as const)
    expect(routeOf(hashOf('42', tab))).toEqual({ view: 'application', id: '42', tab });
  for (const hash of ['#x', '#4x', '#/', '#42/nothing', '#42/bot/x', '#42/toString', `#${'1'.repeat(20)}`])
    expect(routeOf(hash)).toEqual({ view: 'unknown' });
});
