import { ConfigError, readEnv } from '@gatehouse/kit/env';
import { readBranding, textColorOn } from '@gatehouse/kit/process/branding';
import { expect, test } from 'vitest';

const read = (env: NodeJS.ProcessEnv) => readEnv(env, readBranding);

test('without settings, pages and mails show the name Gatehouse, and no links', () => {
  expect(read({})).toEqual({
    product_name: 'Gatehouse',
    logo_url: undefined,
    accent_color: '#3b5bdb',
    support_url: undefined,
    legal_url: undefined,
  });
});

test('a name in any script, and colours in any letter case', () => {
  expect(read({ PRODUCT_NAME: ' بوابة ', ACCENT_COLOR: '#AABBCC' })).toMatchObject({
    product_name: 'بوابة',
    accent_color: '#aabbcc',
  });
});

test.each([
  [{ PRODUCT_NAME: 'Gate\nBcc: all@example.com' }, 'PRODUCT_NAME'],
  [{ PRODUCT_NAME: '<b>' }, 'PRODUCT_NAME'],
  [{ PRODUCT_NAME: 'x'.repeat(61) }, 'PRODUCT_NAME'],
  [{ LOGO_URL: 'javascript:alert(1)' }, 'LOGO_URL'],
  [{ SUPPORT_URL: 'mailto:help@example.com' }, 'SUPPORT_URL'],
  [{ LEGAL_URL: '/legal' }, 'LEGAL_URL'],
  [{ ACCENT_COLOR: 'red' }, 'ACCENT_COLOR'],
  [{ ACCENT_COLOR: '#fff' }, 'ACCENT_COLOR'],
])('%j is refused', (env, name) => {
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(name);
});

test.each([
  ['#000000', '#ffffff'],
  ['#3b5bdb', '#ffffff'],
  ['#ffd43b', '#000000'],
  ['#ffffff', '#000000'],
])('text on %s is %s', (color, text) => {
  expect(textColorOn(color)).toBe(text);
});
