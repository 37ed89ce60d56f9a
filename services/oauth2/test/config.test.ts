import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('only DATABASE_URL is required; the database is this service’s own', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://u:p@db.internal:5432/suite' })).toEqual({
    listen: '127.0.0.1:8084',
    database_url: 'postgres://u:p@db.internal:5432/suite_oauth2',
    database_pool_size: 8,
    worker_id: 3,
    log_level: 'info',
    auth_address: '127.0.0.1:8082',
    chat_address: '127.0.0.1:8083',
    web_app_url: 'http://127.0.0.1:8080',
    issuer: 'http://127.0.0.1:8080',
    rpc_transport: 'stream',
  });
});

test('every problem is reported at once', () => {
  const read = () =>
    readConfig({
      LISTEN: 'nowhere',
      WORKER_ID: '1024',
      AUTH_ADDRESS: '-',
      CHAT_ADDRESS: '-',
      WEB_APP_URL: 'ftp://app.test',
      RPC_TRANSPORT: 'soap',
    });
  expect(read).toThrow(
    /LISTEN.*DATABASE_URL.*WORKER_ID.*AUTH_ADDRESS.*CHAT_ADDRESS.*WEB_APP_URL.*RPC_TRANSPORT/s,
  );
});

test('the web app’s URL loses the slashes at its end', () => {
  const env = {
    DATABASE_URL: 'postgres://u:p@db.internal:5432/suite',
    WEB_APP_URL: 'https://app.test/base//',
  };
  expect(readConfig(env).web_app_url).toBe('https://app.test/base');
});
