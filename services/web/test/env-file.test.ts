import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { envFile } from '../src/developers/secrets/env-file.ts';

const CLIENT = { client_id: '42', base_url: 'http://127.0.0.1:8080' };

test('a known secret is in the file, and an unknown one is a line to fill in', () => {
  expect(envFile({ ...CLIENT, client_secret: 'abc-_1' })).toBe(
    'GATEHOUSE_BASE_URL=http://127.0.0.1:8080\nGATEHOUSE_CLIENT_ID=42\nGATEHOUSE_CLIENT_SECRET=abc-_1\n',
  );
  expect(envFile(CLIENT)).toContain('GATEHOUSE_CLIENT_SECRET=\n');
  expect(envFile({ ...CLIENT, client_secret: null })).not.toContain('SECRET');
  expect(envFile({ ...CLIENT, bot_token: '42.abc' })).toContain('GATEHOUSE_BOT_TOKEN=42.abc\n');
});

test.each([
  'https://clock.example/callback',
  'https://clock.example/callback?a=1&b=$HOME;c',
  "https://clock.example/it's(here)?a=1",
  'https://[::1]:8443/!*',
])('Node reads the redirect URI %s unchanged', (redirect_uri) => {
  expect(parseEnv(envFile({ ...CLIENT, redirect_uri }))).toEqual({
    GATEHOUSE_BASE_URL: CLIENT.base_url,
    GATEHOUSE_CLIENT_ID: '42',
    GATEHOUSE_CLIENT_SECRET: '',
    GATEHOUSE_REDIRECT_URI: redirect_uri,
  });
});
