import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

test('the issuer is BASE_URL, or else the origin of the web app, or else the edge', () => {
  const issuerOf = (env: NodeJS.ProcessEnv) =>
    readConfig({ DATABASE_URL: 'postgres://u:p@db.internal:5432/gatehouse', ...env }).issuer;
  const WEB_APP_URL = 'https://app.test/base/';
  expect(issuerOf({ HOST: '0.0.0.0', PORT: '9000' })).toBe('http://127.0.0.1:9000');
  expect(issuerOf({ WEB_APP_URL })).toBe('https://app.test');
  expect(issuerOf({ WEB_APP_URL, BASE_URL: 'https://API.test:443/' })).toBe('https://api.test');
});

test.each([
  'https://api.test/v1',
  'https://api.test?x',
  'https://u@api.test',
  'https://api.test/#',
  'ftp://x',
])('%s is refused as an issuer', (BASE_URL) => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://db', BASE_URL })).toThrow(/BASE_URL must/);
});
