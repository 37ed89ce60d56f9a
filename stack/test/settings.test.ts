import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@gatehouse/kit/env';
import { afterAll, describe, expect, test } from 'vitest';
import { consoleUrl, environments, PORT_COUNT, PROCESSES } from '../src/processes.ts';
import { secretsOf } from '../src/secrets.ts';
import { readSettings } from '../src/settings.ts';

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const TWO = '127.0.0.1:19001,127.0.0.1:19002';
test.each([
  [{ METRICS_LISTEN: TWO }, 'METRICS_LISTEN must be one host:port'],
  [{ METRICS_LISTEN: '127.0.0.1:65536' }, 'METRICS_LISTEN must be one host:port'],
  [
    { METRICS_LISTEN: '127.0.0.1:65530' },
    `METRICS_LISTEN must leave room for the ${PROCESSES.length - 1} ports after it`,
  ],
])('%j is refused with one line', (env, problem) => {
  expect(problemsOf(env)).toEqual([problem]);
});

test.each(PROCESSES.slice(1))('$name listens at one address', ({ readConfig }) => {
  const made = {
    DATABASE_URL: 'postgres://h',
    AUTH_SECRET_KEY: 'x'.repeat(32),
    CONSOLE_SECRET_KEY: 'x'.repeat(32),
    RATELIMIT_KEY_SECRET: 'x'.repeat(32),
  };
  expect(() => readConfig(made)).not.toThrow();
  expect(() => readConfig({ ...made, LISTEN: TWO })).toThrow('  - LISTEN must be one host:port');
});

test('without settings the edge is at 127.0.0.1:8080 and everything is embedded', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    data_dir: '.data',
    database_url: undefined,
    one_process: false,
    shared_processes: [],
  });
});

test('all problems are reported at once, and none repeats a secret', () => {
  const problems = problemsOf({
    PORT: '65533',
    HOST: 'not an address',
    DATABASE_URL: 'mysql://u:hunter2@db',
    REDIS_URL: 'http://u:hunter2@x',
    RATELIMIT_REPLICAS: 'many',
    RATELIMIT_KEY_SECRET: 'hunter2',
    AUTH_SECRET_KEY: 'hunter2',
    GATEWAY_URL: 'http://here',
    METRICS_LISTEN: '9464',
    WEB_APP_URL: 'here',
    SMTP_URL: 'mail',
    LOGIN_LOCATION_CHECK: 'maybe',
    RATE_LIMITS: 'off',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33, nonsense',
    LOG_LEVEL: 'loud',
  });
  const named = problems.map((problem) => problem.split(/[ :=]/)[0]);
  expect(named.toSorted()).toEqual(
    [
      ...[
        'AUTH_SECRET_KEY',
        'DATABASE_URL',
        'GATEWAY_URL',
        'HOST',
        'LOGIN_LOCATION_CHECK',
        'LOG_LEVEL',
        'METRICS_LISTEN',
        'PORT',
      ],
      ...['RATELIMIT_KEY_SECRET', 'RATELIMIT_REPLICAS', 'RATE_LIMITS', 'REDIS_URL'],
      ...['SMTP_URL', 'TRUSTED_PROXIES', 'TRUSTED_PROXIES', 'WEB_APP_URL'],
    ].toSorted(),
  );
  expect(problems.join()).not.toContain('hunter2');
});

test.each(PROCESSES.map(({ name, readConfig }) => [name, readConfig] as const))(
  '%s does not start if plaintext gRPC would leave the loopback',
  (_, readConfig) => {
    const asked = new Set<string>();
    const env = new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get: (_target, name) => {
          if (!/^LISTEN$|^REALTIME_PEERS$|^(?!EDGE_|REALTIME_).*_ADDRESS$/.test(String(name)))
            return undefined;
          asked.add(String(name));
          return '10.0.0.1:1';
        },
      },
    );
    let problems: readonly string[] = [];
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) problems = error.problems;
    }
    const refused = problems.filter((problem) => problem.includes('is beyond loopback'));
    expect(refused.map((problem) => problem.split(' ')[0]).toSorted()).toEqual([...asked].toSorted());
    expect(asked.size).toBeGreaterThan(0);
  },
);

test('each process has a separate certificate', () => {
  expect(problemsOf({ RPC_TLS_CERT: 'chat.pem', RPC_TLS_KEY: 'chat-key.pem', RPC_TLS_CA: 'ca.pem' })).toEqual(
    [expect.stringContaining('for npm start set RPC_TLS_DIR')],
  );
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-no-certificates-'));
  const [problem, ...more] = problemsOf({ RPC_TLS_DIR: folder });
  rmSync(folder, { recursive: true });
  expect(more).toEqual([]);
  expect(problem).toContain('RPC_TLS_DIR has no gateway.pem, gateway-key.pem, ca.pem, ratelimit.pem');
  const told = environments({
    host: '127.0.0.1',
    ports: [],
    data_dir: '.',
    database_urls: {},
    env: { RPC_TLS_DIR: '/certificates' },
  });
  expect(told.map(({ RPC_TLS_CERT }) => RPC_TLS_CERT)).toEqual(
    PROCESSES.map(({ name }) => `/certificates/${name}.pem`),
  );
  expect(new Set(told.map(({ RPC_TLS_CA }) => RPC_TLS_CA))).toEqual(new Set(['/certificates/ca.pem']));
});

test.each([
  [{}, 'data/mail'],
  [{ NODE_ENV: 'development', SMTP_URL: '' }, 'data/mail'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, undefined],
  [{ NODE_ENV: 'production' }, undefined],
  [{ NODE_ENV: 'production', DEV_MAIL_DIR: '/other' }, undefined],
  [{ WEB_APP_URL: 'http://localhost:8080' }, 'data/mail'],
  [{ WEB_APP_URL: 'http://[::1]:8080' }, 'data/mail'],
  [{ WEB_APP_URL: 'https://chat.example.com' }, undefined],
])('with %j the edge shows the mails of %s, and no other process does', (env, folder) => {
  const made = environments({ host: '127.0.0.1', ports: [], data_dir: 'data', database_urls: {}, env });
  expect(made.flatMap(({ DEV_MAIL_DIR }) => DEV_MAIL_DIR ?? [])).toEqual(
    folder === undefined ? [] : [folder],
  );
});

test('rate limits may be off only in development', () => {
  expect(problemsOf({ RATE_LIMITS: 'off', NODE_ENV: 'production' })).toHaveLength(1);
  expect(problemsOf({ RATE_LIMITS: 'off', NODE_ENV: 'development' })).toEqual([]);
});

const SECRET = 's'.repeat(32);

test.each([
  'redis://127.0.0.1:6379',
  'rediss://user:password@redis.example:6380/1',
  'redis+sentinel://one:26379,two:26379/main',
  'redis+cluster://one:7000,two:7001,three:7002',
])('takes %s, with a secret for its keys or without', (REDIS_URL) => {
  expect(problemsOf({ REDIS_URL, RATELIMIT_KEY_SECRET: SECRET })).toEqual([]);
  expect(problemsOf({ REDIS_URL })).toEqual([]);
});

describe('secrets', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  afterAll(() => rmSync(data_dir, { recursive: true }));
  const secrets = (env: NodeJS.ProcessEnv, shared_database = false): Partial<Record<string, unknown>> => {
    const said: string[] = [];
    const made = secretsOf({ data_dir, env, shared_database, say: (line) => said.push(line) });
    return { ...made, said };
  };

  test('the first start creates the keys of auth and the console, readable by this user alone', () => {
    const first = secrets({});
    expect(secrets({})).toEqual(first);
    for (const [variable, file] of [
      ['AUTH_SECRET_KEY', 'auth-secret-key'],
      ['CONSOLE_SECRET_KEY', 'console-secret-key'],
    ] as const) {
      expect(first[variable]).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(statSync(join(data_dir, file)).mode & 0o777).toBe(0o600);
    }
    expect(first.AUTH_SECRET_KEY).not.toBe(first.CONSOLE_SECRET_KEY);
    expect(first.said).toEqual([]);
    expect(secrets({}, true).said).toEqual([
      expect.stringContaining('AUTH_SECRET_KEY is not set'),
      expect.stringContaining('CONSOLE_SECRET_KEY is not set'),
    ]);
    expect(secrets({ AUTH_SECRET_KEY: SECRET, CONSOLE_SECRET_KEY: SECRET }, true)).toEqual({ said: [] });
  });

  test('an empty key file, left by a full disk, is replaced', () => {
    const before = secrets({}).AUTH_SECRET_KEY;
    truncateSync(join(data_dir, 'auth-secret-key'));
    const made = secrets({}).AUTH_SECRET_KEY;
    expect(made).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(made).not.toBe(before);
    expect(secrets({}).AUTH_SECRET_KEY).toBe(made);
  });

  test('stacks on one Redis hash alike, stacks on another one differently', () => {
    const [one, same, other] = ['redis://a', 'redis://a', 'redis://b'].map(
      (REDIS_URL) => secrets({ REDIS_URL }).RATELIMIT_KEY_SECRET,
    );
    expect(one).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
    expect(secrets({ REDIS_URL: 'redis://a', RATELIMIT_KEY_SECRET: SECRET })).not.toHaveProperty(
      'RATELIMIT_KEY_SECRET',
    );
  });

  test('a process gets its own secrets and no others', () => {
    const env = {
      AUTH_SECRET_KEY: 'a',
      SMTP_URL: 's',
      REDIS_URL: 'r',
      RATELIMIT_KEY_SECRET: 'k',
      MAIL_FROM: 'm',
    };
    const surroundings = {
      host: '127.0.0.1',
      ports: [],
      data_dir: '.',
      database_urls: {},
      env,
    };
    const told = Object.fromEntries(
      environments(surroundings).map((one, index) => [
        PROCESSES[index]?.name,
        Object.keys(env).filter((name) => one[name] !== undefined),
      ]),
    );
    expect(told).toEqual({
      ...Object.fromEntries(PROCESSES.map(({ name }) => [name, ['MAIL_FROM']])),
      ratelimit: ['REDIS_URL', 'RATELIMIT_KEY_SECRET', 'MAIL_FROM'],
      auth: ['AUTH_SECRET_KEY', 'SMTP_URL', 'MAIL_FROM'],
    });
  });
});

test('realtime trusts the edge, and the proxies that the edge trusts', () => {
  const surroundings = { host: '127.0.0.1', ports: [], data_dir: '.', database_urls: {} };
  const realtime = PROCESSES.findIndex(({ name }) => name === 'realtime');
  const trusted = (env: NodeJS.ProcessEnv) =>
    environments({ ...surroundings, env }).map(({ TRUSTED_PROXIES }) => TRUSTED_PROXIES);
  expect(trusted({})[realtime]).toBe('127.0.0.1');
  const TRUSTED_PROXIES = '10.0.0.0/8';
  expect(trusted({ TRUSTED_PROXIES })[realtime]).toBe('10.0.0.0/8,127.0.0.1');
  expect(trusted({ TRUSTED_PROXIES })[0]).toBe(TRUSTED_PROXIES);
});

test('a process gets the URL of its own database, and no URL without one', () => {
  const surroundings = { host: '127.0.0.1', ports: [], data_dir: '.' };
  const env = { DATABASE_URL: 'postgresql://admin:secret@db' };
  const withDatabase = PROCESSES.filter(({ has_database }) => has_database);
  const database_urls = Object.fromEntries(withDatabase.map(({ name }) => [name, `the login of ${name}`]));
  const told = environments({ ...surroundings, env, database_urls });
  expect(told.map(({ DATABASE_URL }) => DATABASE_URL)).toEqual(
    PROCESSES.map(({ name }) => database_urls[name]),
  );
  expect(told.filter(({ DATABASE_URL }) => DATABASE_URL === undefined).length).toBeGreaterThan(0);
  expect(JSON.stringify(told)).not.toContain('secret');
});

test('each process serves its metrics at a separate port if METRICS_LISTEN is set', () => {
  const surroundings = {
    host: '127.0.0.1',
    ports: [1, 2, 3, 4, 5, 6],
    data_dir: '.',
    database_urls: {},
  };
  const listens = (env: NodeJS.ProcessEnv) =>
    environments({ ...surroundings, env }).map(({ METRICS_LISTEN }) => METRICS_LISTEN);
  expect(listens({ METRICS_LISTEN: '0.0.0.0:9464' })).toEqual(
    PROCESSES.map((_, index) => `0.0.0.0:${9464 + index}`),
  );
  expect(listens({})).toEqual(PROCESSES.map(() => undefined));
});

test.each(['10.0.0.0/8', '127.0.0.1', '::1/128 fd00::/8'])('accepts %s as trusted proxies', (networks) => {
  expect(problemsOf({ TRUSTED_PROXIES: networks })).toEqual([]);
});

test('with ports for them, each process serves its metrics on loopback, and the console knows where', () => {
  const ports = Array.from({ length: PORT_COUNT + PROCESSES.length }, (_, index) => 20_000 + index);
  const surroundings = { host: '127.0.0.1', ports, data_dir: '/data', database_urls: {} };
  const told = environments({ ...surroundings, env: {} });
  const addresses = PROCESSES.map((_, index) => `127.0.0.1:${20_000 + PORT_COUNT + index}`);
  expect(told.map(({ METRICS_LISTEN }) => METRICS_LISTEN)).toEqual(addresses);
  const targets = PROCESSES.map(({ name }, index) => `${name}=${addresses[index]}`).join(',');
  const sourcesOf = (envs: readonly NodeJS.ProcessEnv[]) =>
    envs.flatMap(({ CONSOLE_METRICS, CONSOLE_LOG_DIR }) =>
      CONSOLE_METRICS === undefined ? [] : [[CONSOLE_METRICS, CONSOLE_LOG_DIR]],
    );
  expect(sourcesOf(told)).toEqual([[targets, '/data/logs']]);
  const given = environments({
    ...surroundings,
    env: { METRICS_LISTEN: '0.0.0.0:9464', CONSOLE_LOG_DIR: '/elsewhere' },
  });
  const local = PROCESSES.map(({ name }, index) => `${name}=127.0.0.1:${9464 + index}`).join(',');
  expect(sourcesOf(given)).toEqual([[local, '/elsewhere']]);
});

test.each([
  [{}, 'http://localhost:20010'],
  [{ CONSOLE_LISTEN: '0.0.0.0:90' }, 'http://localhost:90'],
  [{ CONSOLE_LISTEN: '[::]:90', CONSOLE_TLS_CERT: 'a' }, 'https://localhost:90'],
  [{ CONSOLE_LISTEN: '[::1]:90' }, 'http://localhost:90'],
  [{ CONSOLE_LISTEN: '10.0.0.1:90' }, 'http://10.0.0.1:90'],
  [{ CONSOLE_LISTEN: '[fd00::1]:90' }, 'http://[fd00::1]:90'],
  [{ CONSOLE_URL: 'https://console.example.com/' }, 'https://console.example.com'],
])('with %j the console is at %s', (env, url) => {
  expect(
    consoleUrl(
      env,
      Array.from({ length: PORT_COUNT }, (_, index) => 20_000 + index),
    ),
  ).toBe(url);
});
