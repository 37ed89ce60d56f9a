import { ConfigError } from '@gatehouse/kit/env';
import { expect, test } from 'vitest';
import { environments, PROCESSES } from '../suite/processes.ts';
import { readSettings } from '../suite/settings.ts';

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('nothing set: the edge on 127.0.0.1:8080, everything embedded', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    data_dir: '.data',
    database_url: undefined,
  });
});

test('all problems are told at once, and none repeats a secret', () => {
  const problems = problemsOf({
    PORT: '65533',
    HOST: 'not an address',
    DATABASE_URL: 'mysql://u:hunter2@db',
    REDIS_URL: 'http://u:hunter2@x',
    RATELIMIT_REPLICAS: 'many',
    RATELIMIT_KEY_SECRET: 'hunter2',
    METRICS_LISTEN: '9464',
    WEB_APP_URL: 'here',
    SMTP_URL: 'mail',
    LOGIN_LOCATION_CHECK: 'maybe',
    RATE_LIMITS: 'off',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33, nonsense',
    LOG_LEVEL: 'loud',
    RPC_TRANSPORT: 'pigeon',
  });
  const named = problems.map((problem) => problem.split(/[ :=]/)[0]);
  expect(named.toSorted()).toEqual(
    [
      ...['DATABASE_URL', 'HOST', 'LOGIN_LOCATION_CHECK', 'LOG_LEVEL', 'METRICS_LISTEN', 'PORT'],
      ...['RATELIMIT_KEY_SECRET', 'RATELIMIT_REPLICAS', 'RATE_LIMITS', 'REDIS_URL'],
      ...['RPC_TRANSPORT', 'SMTP_URL', 'TRUSTED_PROXIES', 'TRUSTED_PROXIES', 'WEB_APP_URL'],
    ].toSorted(),
  );
  expect(problems.join()).not.toContain('hunter2');
});

test('rate limits may be off in development alone', () => {
  expect(problemsOf({ RATE_LIMITS: 'off', NODE_ENV: 'production' })).toHaveLength(1);
  expect(problemsOf({ RATE_LIMITS: 'off', NODE_ENV: 'development' })).toEqual([]);
});

const SECRET = 's'.repeat(32);

test.each([
  'redis://127.0.0.1:6379',
  'rediss://user:password@redis.example:6380/1',
  'redis+sentinel://one:26379,two:26379/main',
  'redis+cluster://one:7000,two:7001,three:7002',
])('takes %s, with the secret that its keys need', (REDIS_URL) => {
  expect(problemsOf({ REDIS_URL, RATELIMIT_KEY_SECRET: SECRET })).toEqual([]);
  expect(problemsOf({ REDIS_URL })).toEqual([expect.stringMatching(/^RATELIMIT_KEY_SECRET is required/)]);
});

test('each process shows its metrics at a port of its own, if any are wanted', () => {
  const surroundings = { host: '127.0.0.1', ports: [1, 2, 3, 4, 5, 6], data_dir: '.', database_url: '' };
  const listens = (env: NodeJS.ProcessEnv) =>
    environments({ ...surroundings, env }).map(({ METRICS_LISTEN }) => METRICS_LISTEN);
  expect(listens({ METRICS_LISTEN: '0.0.0.0:9464' })).toEqual(
    PROCESSES.map((_, index) => `0.0.0.0:${9464 + index}`),
  );
  expect(listens({})).toEqual(PROCESSES.map(() => undefined));
});

test.each(['10.0.0.0/8', '127.0.0.1', '::1/128 fd00::/8'])('takes %s for trusted proxies', (networks) => {
  expect(problemsOf({ TRUSTED_PROXIES: networks })).toEqual([]);
});
