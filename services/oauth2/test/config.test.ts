import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('only DATABASE_URL is required; the database is this service’s own', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://u:p@db.internal:5432/gatehouse' })).toMatchObject({
    listen: '127.0.0.1:8084',
    database_url: 'postgres://u:p@db.internal:5432/gatehouse_oauth2',
    database_pool_size: 8,
    drain_delay_ms: 0,
    log_level: 'info',
    auth_address: '127.0.0.1:8082',
    chat_address: '127.0.0.1:8083',
    web_app_url: 'http://127.0.0.1:8080',
    issuer: 'http://127.0.0.1:8080',
    hardening: {
      require_s256: false,
      introspect_own_tokens_only: false,
      revoke_on_replay: false,
      callback_issuer: false,
    },
  });
});

test('each hardening has a variable of its own', () => {
  const env = {
    DATABASE_URL: 'postgres://db',
    OAUTH2_CODE_LIFETIME_SECONDS: '60',
    OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS: '30',
    OAUTH2_REQUIRE_S256: 'on',
    OAUTH2_INTROSPECT_OWN_TOKENS_ONLY: 'on',
    OAUTH2_REVOKE_ON_REPLAY: 'on',
    OAUTH2_CALLBACK_ISSUER: 'on',
  };
  expect(readConfig(env).hardening).toEqual({
    code_lifetime_seconds: 60,
    refresh_token_lifetime_days: 30,
    require_s256: true,
    introspect_own_tokens_only: true,
    revoke_on_replay: true,
    callback_issuer: true,
  });
});

test.each([
  ['OAUTH2_CODE_LIFETIME_SECONDS', ['0', '9', '86401', '-60', '1.5', '60s', '1e2'], ['10', '86400']],
  ['OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS', ['0', '3651', '-1', '0.5', '1d'], ['1', '3650']],
  ['OAUTH2_REQUIRE_S256', ['yes', 'ON', '2'], ['on', 'off', 'true', '0']],
  ['OAUTH2_INTROSPECT_OWN_TOKENS_ONLY', ['yes'], ['on', 'off']],
  ['OAUTH2_REVOKE_ON_REPLAY', ['yes'], ['on', 'off']],
  ['OAUTH2_CALLBACK_ISSUER', ['https://api.test'], ['on', 'off']],
])('%s is refused as %j, and taken as %j', (name, bad, good) => {
  const read = (value: string) => readConfig({ DATABASE_URL: 'postgres://db', [name]: value });
  for (const value of bad) expect(() => read(value), value).toThrow(new RegExp(`${name} must be`));
  for (const value of good) expect(() => read(value), value).not.toThrow();
});

test('every problem is reported at once', () => {
  const read = () =>
    readConfig({
      LISTEN: 'nowhere',
      AUTH_ADDRESS: '-',
      CHAT_ADDRESS: '-',
      WEB_APP_URL: 'ftp://app.test',
    });
  expect(read).toThrow(/LISTEN.*DATABASE_URL.*AUTH_ADDRESS.*CHAT_ADDRESS.*WEB_APP_URL/s);
});

test('the web app’s URL loses the slashes at its end', () => {
  const env = {
    DATABASE_URL: 'postgres://u:p@db.internal:5432/gatehouse',
    WEB_APP_URL: 'https://app.test/base//',
  };
  expect(readConfig(env).web_app_url).toBe('https://app.test/base');
});

test('the web app’s URL is one that a header can carry, and that a path can be added to', () => {
  const read = (WEB_APP_URL: string) =>
    readConfig({ DATABASE_URL: 'postgres://db', WEB_APP_URL }).web_app_url;
  expect(read('https://例え.test/ä')).toBe('https://xn--r8jz45g.test/%C3%A4');
  for (const url of ['https://app.test/?x', 'https://app.test/#x', 'https://u@app.test'])
    expect(() => read(url)).toThrow(/WEB_APP_URL must have no query, fragment or user/);
});
