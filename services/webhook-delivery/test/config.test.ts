import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const DATABASE_URL = 'postgres://gatehouse@127.0.0.1:5432/gatehouse';

it('only DATABASE_URL is required, and the service has its own database on that server', () => {
  expect(readConfig({ DATABASE_URL })).toMatchObject({
    listen: '127.0.0.1:8085',
    database_url: 'postgres://gatehouse@127.0.0.1:5432/gatehouse_webhook_delivery',
    database_pool_size: 8,
    chat_address: '127.0.0.1:8083',
    auth_address: '127.0.0.1:8082',
    media_address: '127.0.0.1:8086',
    base_url: 'http://127.0.0.1:8080',
    drain_delay_ms: 0,
    log_level: 'info',
  });
});

it('every problem is reported at once', () => {
  const env = {
    LISTEN: 'nowhere',
    DATABASE_URL: 'mysql://x',
    DATABASE_POOL_SIZE: '0',
    CHAT_ADDRESS: 'http://chat:8083',
    AUTH_ADDRESS: 'auth',
    LOG_LEVEL: 'loud',
  };
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      problems: Object.keys(env).map((name) => expect.stringContaining(name)) as unknown,
    }),
  );
});
