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
    rpc_transport: 'stream',
  });
});

test('every problem is reported at once', () => {
  const read = () =>
    readConfig({ LISTEN: 'nowhere', WORKER_ID: '1024', AUTH_ADDRESS: '-', RPC_TRANSPORT: 'soap' });
  expect(read).toThrow(/LISTEN.*DATABASE_URL.*WORKER_ID.*AUTH_ADDRESS.*RPC_TRANSPORT/s);
});
