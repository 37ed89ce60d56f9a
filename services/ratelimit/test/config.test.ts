import { ConfigError } from '@gatehouse/kit/env';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('without any setting it listens on loopback and limits', () => {
  expect(readConfig({})).toEqual({
    listen: '127.0.0.1:8081',
    log_level: 'info',
    rate_limits: true,
    max_buckets: 1_000_000,
  });
});

test('limits can be switched off in development and nowhere else (spec 3, Mechanics, 9)', () => {
  expect(readConfig({ RATE_LIMITS: 'off', NODE_ENV: 'development' }).rate_limits).toBe(false);
  for (const NODE_ENV of [undefined, '', 'production', 'test']) {
    expect(problems({ RATE_LIMITS: 'off', NODE_ENV })).toEqual([
      'RATE_LIMITS may be off only where NODE_ENV is development',
    ]);
  }
});

test('every problem is reported at once', () => {
  const env = { LISTEN: 'nowhere', LOG_LEVEL: 'loud', RATE_LIMITS: 'maybe', RATELIMIT_MAX_BUCKETS: '1' };
  expect(problems(env).map((problem) => problem.split(' ')[0])).toEqual(
    expect.arrayContaining(Object.keys(env)),
  );
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
