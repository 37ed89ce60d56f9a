import { DATABASE_SERVICES, ownVariable, SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { readServiceNames, serviceEnvironments } from '@gatehouse/runner/service-environments';
import { PROCESSES } from '@gatehouse/stack/processes';
import { expect, it, test } from 'vitest';
import {
  mountedBy,
  networksOf,
  readComposeFile,
  resolved,
  type Service,
  settingsOf,
} from './compose-file.ts';

// Checks compose.small.yaml without an engine; `npm run e2e -- --compose --small` runs it. `npm run check` fails if it
// differs from what is generated from compose.yaml.

const ordinary = readComposeFile('compose.yaml');
const small = readComposeFile('compose.small.yaml');
const SECRETS = {
  ...Object.fromEntries(
    DATABASE_SERVICES.map((name) => [
      ownVariable(name, 'DATABASE_URL'),
      `postgres://gatehouse_${name.replaceAll('-', '_')}:secret@postgres/gatehouse`,
    ]),
  ),
  AUTH_SECRET_KEY: 'x'.repeat(43),
  CONSOLE_SECRET_KEY: 'x'.repeat(43),
  REDIS_URL: 'redis://redis',
  RATELIMIT_KEY_SECRET: 'x'.repeat(43),
};

function service(name: string): Service {
  return small.services[name] ?? expect.unreachable(`compose.small.yaml has no ${name}`);
}

const runner = service('runner');

test('two processes of all services, and their migrations, replace the processes and migrations of compose.yaml', () => {
  const replaced: string[] = [...SERVICE_NAMES, ...DATABASE_SERVICES.map((name) => `${name}-migrations`)];
  const kept = Object.keys(ordinary.services).filter((name) => !replaced.includes(name));
  expect(Object.keys(small.services).toSorted()).toEqual([...kept, 'runner', 'runner-migrations'].toSorted());
  expect(resolved(runner.scale ?? '')).toBe('2');
  expect(readServiceNames(settingsOf(runner))).toEqual(SERVICE_NAMES);
  expect(readServiceNames(settingsOf(service('runner-migrations')))).toEqual(SERVICE_NAMES);
});

test('everything else is that of compose.yaml, but for what starts first and who gets the secrets', () => {
  for (const name of ['operator', 'postgres', 'redis'])
    expect(service(name), name).toEqual(ordinary.services[name]);
  const { depends_on: _, ...envoy } = service('envoy');
  expect(ordinary.services.envoy).toMatchObject(envoy);
  const { command: __, volumes: ___, ...prepare } = service('prepare');
  expect(ordinary.services.prepare).toMatchObject(prepare);
  expect(small.networks).toEqual(ordinary.networks);
});

it('has few rights: those of a process of compose.yaml', () => {
  const { read_only, cap_drop, security_opt, pids_limit, restart, stop_grace_period } =
    ordinary.services.auth ?? {};
  expect(runner).toMatchObject({ read_only, cap_drop, security_opt, pids_limit, restart, stop_grace_period });
  expect(runner.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  for (const member of ['cap_add', 'container_name', 'healthcheck', 'user'])
    expect(runner).not.toHaveProperty(member);
});

it('starts once the migrations and Redis have, and Envoy after it', () => {
  expect(runner.depends_on).toEqual({
    'runner-migrations': { condition: 'service_completed_successfully' },
    redis: { condition: 'service_healthy' },
  });
  expect(service('envoy').depends_on).toMatchObject({ runner: { condition: 'service_healthy' } });
  expect(service('runner-migrations').build?.args).toMatchObject({ SERVICE: 'runner' });
  expect(service('runner-migrations').image).toBe(runner.image);
  expect(runner.pull_policy).toBe('never');
});

it('gives each service valid settings, its own certificate, and its port in all networks', () => {
  const environments = serviceEnvironments(SERVICE_NAMES, { ...settingsOf(runner), ...SECRETS });
  for (const { name, readConfig } of PROCESSES) {
    const env = environments.get(name as (typeof SERVICE_NAMES)[number]) ?? {};
    expect(() => readConfig(env), name).not.toThrow();
    expect(env, name).toMatchObject({
      RPC_TLS_CERT: `/run/gatehouse/${name}.pem`,
      RPC_TLS_KEY: `/run/gatehouse/${name}-key.pem`,
      RPC_TLS_CA: '/run/gatehouse/ca.pem',
    });
    expect(env).not.toHaveProperty('RPC_INSECURE');
  }
  for (const name of SERVICE_NAMES) {
    const { grpc } = serviceNamed(name).ports;
    if (grpc !== undefined) expect(environments.get(name)?.LISTEN).toBe(`0.0.0.0:${grpc}`);
  }
  expect(environments.get('gateway')).toMatchObject({ HOST: '0.0.0.0', PORT: '8080' });
  expect(environments.get('auth')).toMatchObject({ HOST: 'localhost', PORT: '8080' });
});

it('passes on every setting that a process of compose.yaml takes from the environment', () => {
  const passed = (one: Service | undefined) =>
    Object.entries(one?.environment ?? {}).flatMap(([key, value]) => (value === null ? [key] : []));
  const expected = SERVICE_NAMES.flatMap((name) => passed(ordinary.services[name]));
  expect(new Set(passed(runner))).toEqual(new Set(expected));
});

it('shares the limits of an outage among all processes', () => {
  expect(runner.environment).toMatchObject({
    GATEWAY_REPLICAS: runner.scale,
    RATELIMIT_REPLICAS: runner.scale,
    REALTIME_PEERS: 'realtime:8087',
  });
});

it('is found by the name of each service: the edge and WebSockets by Envoy, all by operators and replicas', () => {
  expect(runner.networks).toEqual({
    front: { aliases: ['gateway', 'realtime'] },
    limits: { aliases: ['ratelimit'] },
    services: { aliases: SERVICE_NAMES },
    buckets: null,
    database: null,
    outbound: null,
  });
  const { TRUSTED_PROXIES } = ordinary.services.gateway?.environment ?? {};
  expect(runner.environment).toMatchObject({
    GATEWAY_TRUSTED_PROXIES: TRUSTED_PROXIES,
    // The edge tunnels WebSockets to its own process.
    REALTIME_TRUSTED_PROXIES: `${TRUSTED_PROXIES},127.0.0.1`,
  });
  expect(networksOf(service('envoy'))).toEqual(expect.arrayContaining(['front', 'limits']));
});

it('mounts its volume, which prepare fills, and keeps the administrator’s login from the processes', () => {
  expect(mountedBy(runner)).toEqual(['runner', 'mail']);
  expect(mountedBy(service('runner-migrations'))).toEqual(['runner', 'migrations']);
  expect(service('prepare').command).toEqual(['prepare', '--runner', '/deployment']);
  expect(mountedBy(service('prepare')).toSorted()).toEqual(
    Object.keys(small.volumes)
      .filter((name) => !['database', 'mail'].includes(name))
      .toSorted(),
  );
  for (const [key, value] of Object.entries(runner.environment ?? {}))
    if (/SECRET|PASSWORD$|DATABASE_URL|REDIS_URL/.test(key)) expect(value).toBeNull();
});
