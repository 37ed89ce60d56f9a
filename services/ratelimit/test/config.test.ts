import { fileURLToPath } from 'node:url';
import { ConfigError } from '@gatehouse/kit/env';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('without any setting it listens on loopback and limits', () => {
  expect(readConfig({})).toMatchObject({
    listen: '127.0.0.1:8081',
    drain_delay_ms: 0,
    log_level: 'info',
    rate_limits: true,
    max_buckets: 1_000_000,
    redis_url: undefined,
    redis_timeout_ms: 25,
    replicas: 1,
    key_secret: undefined,
    metrics_listen: undefined,
    rules_file: fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json')),
  });
});

test('limits can be switched off in development and nowhere else', () => {
  expect(readConfig({ RATE_LIMITS: 'off', NODE_ENV: 'development' }).rate_limits).toBe(false);
  for (const NODE_ENV of [undefined, '', 'production', 'test']) {
    expect(problems({ RATE_LIMITS: 'off', NODE_ENV })).toEqual([
      'RATE_LIMITS may be off only where NODE_ENV is development',
    ]);
  }
});

test('every problem is reported at once', () => {
  const env = {
    LISTEN: 'nowhere',
    LOG_LEVEL: 'loud',
    RATE_LIMITS: 'maybe',
    RATELIMIT_MAX_BUCKETS: '1',
    REDIS_URL: 'http://localhost',
    RATELIMIT_REPLICAS: '0',
    RATELIMIT_KEY_SECRET: 'short',
    METRICS_LISTEN: 'here',
  };
  expect(problems(env).map((problem) => problem.split(' ')[0])).toEqual(
    expect.arrayContaining(Object.keys(env)),
  );
});

test('replicas that share a Redis must share the secret of their keys', () => {
  const REDIS_URL = 'redis://:a-planted-password@localhost:6379/2';
  expect(problems({ REDIS_URL })).toEqual([
    'RATELIMIT_KEY_SECRET is required with REDIS_URL: the same for all replicas',
  ]);
  const RATELIMIT_KEY_SECRET = 's'.repeat(32);
  expect(readConfig({ REDIS_URL, RATELIMIT_KEY_SECRET, RATELIMIT_REPLICAS: '3' })).toMatchObject({
    redis_url: REDIS_URL,
    key_secret: RATELIMIT_KEY_SECRET,
    replicas: 3,
  });
});

test('several replicas without Redis are refused: each would admit the whole limit', () => {
  expect(problems({ RATELIMIT_REPLICAS: '2' })).toEqual([
    'RATELIMIT_REPLICAS above 1 needs REDIS_URL: in memory each would admit the whole limit',
  ]);
  expect(readConfig({ RATELIMIT_REPLICAS: '1' }).replicas).toBe(1);
});

test('each layout of Redis has its URL, and a wrong one is refused without its password', () => {
  for (const url of [
    'rediss://user:pw@db.example:6380',
    'redis+sentinel://a:26379,b:26379/main',
    'rediss+cluster://a:6379,b:6379',
  ]) {
    expect(problems({ REDIS_URL: url, RATELIMIT_KEY_SECRET: 's'.repeat(32) })).toEqual([]);
  }
  const [problem = ''] = problems({ REDIS_URL: 'redis://:a-planted-password@host:99999/x' });
  expect(problem).toContain('REDIS_URL');
  expect(problem).not.toContain('planted');
});

function problems(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
