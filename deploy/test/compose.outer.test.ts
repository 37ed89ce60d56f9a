import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import { PROCESSES } from '@gatehouse/stack/processes';
import { describe, expect, it, test } from 'vitest';
import {
  mountedBy,
  networksOf,
  read,
  readComposeFile,
  resolved,
  type Service,
  settingsOf,
} from './compose-file.ts';

// Checks compose.yaml without an engine; `npm run e2e -- --compose` runs it.

const { text, services, networks, volumes } = readComposeFile('compose.yaml');
const NAMES = PROCESSES.map(({ name }) => name);
const SERVERS = [...NAMES, 'postgres', 'redis', 'envoy'];
const ALL = Object.entries(services);

function service(name: string): Service {
  const found = services[name];
  if (found === undefined) throw new Error(`compose.yaml has no ${name}`);
  return found;
}

/** The service that builds the image of this one. */
function builderOf(name: string): string {
  const { image } = service(name);
  return ALL.find(([, one]) => one.build !== undefined && one.image === image)?.[0] ?? name;
}

/** All services that start before a service. */
function neededBy(name: string): Set<string> {
  const direct = Object.keys(service(name).depends_on ?? {});
  return new Set(direct.flatMap((needed) => [needed, ...neededBy(needed)]));
}

/** The names of the volumes that a service mounts. */
function mounted(name: string): string[] {
  return mountedBy(service(name));
}

test('has every process of the stack, with a migration job for each database', () => {
  const jobs = DATABASE_SERVICES.map((name) => `${name}-migrations`);
  expect(Object.keys(services).toSorted()).toEqual([...SERVERS, ...jobs, 'prepare', 'operator'].toSorted());
});

/** A published port has one container. */
const PUBLISHING = ['console', 'envoy'];

describe.each(ALL)('%s', (name, one) => {
  it('has few rights: a read-only root, no capabilities except those with which a server becomes its user, and limits', () => {
    expect(one).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    });
    if (name !== 'postgres') expect(one).not.toHaveProperty('cap_add');
  });

  it('can run as several replicas', () => {
    expect(one).not.toHaveProperty('container_name');
    if (!PUBLISHING.includes(name)) expect(one).not.toHaveProperty('ports');
  });

  it('waits for its dependencies by health checks, or by their end', () => {
    for (const [needed, { condition }] of Object.entries(one.depends_on ?? {})) {
      const isServer = SERVERS.includes(needed);
      expect(condition).toBe(isServer ? 'service_healthy' : 'service_completed_successfully');
    }
  });
});

test('the images are built by one Dockerfile, whose user is node', () => {
  for (const name of [
    ...NAMES,
    ...DATABASE_SERVICES.map((one) => `${one}-migrations`),
    'prepare',
    'operator',
  ]) {
    const { user } = service(name);
    expect(service(builderOf(name)).build?.dockerfile).toBe('deploy/Dockerfile');
    expect(user).toBeUndefined();
  }
  expect(
    read('../Dockerfile')
      .split(/^FROM /m)
      .at(-1),
  ).toMatch(/^USER node$/m);
});

test('no two services build the same image, and a user of an image starts after its builder', () => {
  const built = ALL.flatMap(([, { build, image }]) => (build ? [image] : []));
  expect(built.toSorted()).toEqual([...new Set(built)].toSorted());
  for (const [name] of ALL) {
    const builder = builderOf(name);
    if (builder === name) continue;
    expect([...neededBy(name)], name).toContain(builder);
    expect(service(name).pull_policy, name).toBe('never');
  }
});

test.each(NAMES)(
  '%s is restarted, has the health check of its image, and mounts only its own certificate and secrets',
  (name) => {
    const { environment, healthcheck, restart, stop_grace_period } = service(name);
    expect(restart).toBe('unless-stopped');
    expect(Number.parseInt(resolved(stop_grace_period ?? '') ?? '', 10)).toBeGreaterThan(10 + 3);
    expect(healthcheck).toBeUndefined();
    expect(environment).toMatchObject({
      RPC_TLS_CERT: `/run/gatehouse/${name}.pem`,
      RPC_TLS_KEY: `/run/gatehouse/${name}-key.pem`,
      RPC_TLS_CA: '/run/gatehouse/ca.pem',
    });
    expect(environment).not.toHaveProperty('RPC_INSECURE');
    expect(mounted(name).filter((volume) => volume !== 'mail')).toEqual([name]);
    expect(service(name).volumes).toContain(`${name}:/run/gatehouse:ro`);
  },
);

test.each(DATABASE_SERVICES)(
  'the migrations of %s run before it, with a login of the administrator that it does not get',
  (name) => {
    const job = `${name}-migrations`;
    expect(service(job).image).toBe(service(name).image);
    expect(service(name).depends_on).toHaveProperty(job);
    expect(mounted(job)).toEqual([name, 'migrations']);
  },
);

test('each process accepts its settings', () => {
  for (const { name, readConfig, has_database } of PROCESSES) {
    const secrets = {
      ...(has_database && { DATABASE_URL: 'postgres://role:secret@postgres/gatehouse' }),
      ...(name === 'auth' && { AUTH_SECRET_KEY: 'x'.repeat(43) }),
      ...(name === 'console' && { CONSOLE_SECRET_KEY: 'x'.repeat(43) }),
      ...(name === 'ratelimit' && { REDIS_URL: 'redis://redis', RATELIMIT_KEY_SECRET: 'x'.repeat(43) }),
    };
    expect(() => readConfig({ ...settingsOf(service(name)), ...secrets })).not.toThrow();
  }
});

test('only Envoy and the console publish ports, and only services with a database reach PostgreSQL', () => {
  const { ports } = service('envoy');
  expect(ports?.every((port) => port.startsWith('$' + '{HOST:-127.0.0.1}:'))).toBe(true);
  expect(service('console').ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  const publishing = ALL.filter(([, one]) => one.ports !== undefined).map(([name]) => name);
  expect(publishing.toSorted()).toEqual(PUBLISHING);
  const open = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
  expect(open).toEqual(['outside', 'outbound']);
  const membersOf = (network: string) =>
    ALL.filter(([, one]) => networksOf(one).includes(network)).map(([name]) => name);
  expect(membersOf('outside')).toEqual(['envoy']);
  expect(membersOf('outbound').toSorted()).toEqual(['auth', 'console']);
  expect(membersOf('front').toSorted()).toEqual(['envoy', 'gateway', 'realtime']);
  expect(membersOf('buckets').toSorted()).toEqual(['ratelimit', 'redis']);
  const jobs = DATABASE_SERVICES.map((name) => `${name}-migrations`);
  expect(membersOf('database').toSorted()).toEqual([...DATABASE_SERVICES, ...jobs, 'postgres'].toSorted());
  for (const [, one] of ALL) expect(one.networks ?? one.network_mode).toBeDefined();
});

test('the edge reaches realtime through the network whose X-Forwarded-For realtime trusts', () => {
  const { networks: memberships, environment } = service('realtime');
  expect(memberships).toEqual({ services: null, front: { aliases: ['realtime-front'] } });
  expect(service('gateway').environment).toHaveProperty('REALTIME_ADDRESS', 'realtime-front:8088');
  expect(environment).toMatchObject({
    GATEWAY_LISTEN: '0.0.0.0:8088',
    LISTEN: '0.0.0.0:8087',
    REALTIME_PEERS: 'realtime:8087',
  });
  const [front] = networks.front?.ipam?.config ?? [];
  expect(environment?.TRUSTED_PROXIES).toBe(front?.subnet);
});

test('a backup has every database, and a restore stops every process', () => {
  const readme = read('../README.md');
  const loops = [...readme.matchAll(/^for name in (.*); do$/gm)].map(([, names]) => names?.split(' '));
  const databases = DATABASE_SERVICES.map((name) => name.replaceAll('-', '_'));
  expect(loops.map((names) => names?.toSorted())).toEqual([databases.toSorted(), databases.toSorted()]);
  const [, stopped = ''] = /^docker compose stop (.*)$/m.exec(readme) ?? [];
  expect(stopped.split(' ').toSorted()).toEqual([...NAMES, 'envoy'].toSorted());
});

test('it contains no secret, and all its settings are in .env.example', () => {
  const listed = new Set(
    [...read('../../.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
  );
  const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  const passed = ALL.flatMap(([, { environment = {}, build }]) =>
    Object.entries({ ...environment, ...build?.args }).flatMap(([key, value]) =>
      value === null ? [key] : [],
    ),
  );
  expect([...new Set([...asked, ...passed])].filter((name) => !listed.has(name))).toEqual([]);
  for (const [, { environment = {} }] of ALL)
    for (const [key, value] of Object.entries(environment))
      if (/SECRET|PASSWORD$|DATABASE_URL|REDIS_URL/.test(key)) expect(value).toBeNull();
});

test('every volume is mounted, and prepare fills those with secrets', () => {
  const data = ['database', 'mail'];
  expect(mounted('prepare').toSorted()).toEqual(
    Object.keys(volumes)
      .filter((name) => !data.includes(name))
      .toSorted(),
  );
  expect(mounted('postgres')).toContain('database');
  expect(mounted('auth')).toContain('mail');
  const dockerfile = read('../Dockerfile');
  const [, processes = ''] = /^ARG PROCESSES="(.*)"$/m.exec(dockerfile) ?? [];
  const [, loop = ''] = /for name in ([^;]+);/.exec(dockerfile) ?? [];
  const folders = loop.replace('$PROCESSES', processes);
  // compose.small.yaml mounts `runner`.
  expect(folders.match(/[\w-]+/g)?.toSorted()).toEqual([...mounted('prepare'), 'runner'].toSorted());
});
