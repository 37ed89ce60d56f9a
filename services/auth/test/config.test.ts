import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('DATABASE_URL is all that must be set; the database is this service’s own', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://u:p@db.internal:5432/suite' })).toEqual({
    listen: '127.0.0.1:8082',
    database_url: 'postgres://u:p@db.internal:5432/suite_auth',
    database_pool_size: 8,
    worker_id: 1,
    log_level: 'info',
    password_concurrency: 2,
  });
});

test('every problem is told at once', () => {
  const read = () => readConfig({ LISTEN: 'nowhere', WORKER_ID: '1024', PASSWORD_CONCURRENCY: '0' });
  expect(read).toThrow(/LISTEN.*DATABASE_URL.*WORKER_ID.*PASSWORD_CONCURRENCY/s);
});
