import { ConfigError } from '@gatehouse/kit/env';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('requires a database server and has defaults for everything else', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://localhost/gatehouse' })).toMatchObject({
    listen: '127.0.0.1:8083',
    database_url: 'postgres://localhost/gatehouse_chat',
    database_pool_size: 8,
    auth_address: '127.0.0.1:8082',
    ratelimit_address: '127.0.0.1:8081',
    webhook_delivery_address: '127.0.0.1:8085',
    media_address: '127.0.0.1:8086',
    event_retention_minutes: 60,
    audit_log_days: 90,
    drain_delay_ms: 0,
    log_level: 'info',
  });
});

test('reports all problems together', () => {
  const env = {
    LISTEN: 'here',
    EVENT_RETENTION_MINUTES: '0',
    AUDIT_LOG_DAYS: '0',
    AUTH_ADDRESS: '8082',
    RATELIMIT_ADDRESS: 'ratelimit',
    WEBHOOK_DELIVERY_ADDRESS: 'webhooks',
    MEDIA_ADDRESS: 'media:',
    LOG_LEVEL: 'loud',
  };
  expect(() => readConfig(env)).toThrow(ConfigError);
  try {
    readConfig(env);
  } catch (error) {
    for (const name of [...Object.keys(env), 'DATABASE_URL']) expect(String(error)).toContain(name);
  }
});
