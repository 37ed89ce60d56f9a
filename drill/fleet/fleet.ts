import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { onServer } from '@gatehouse/kit/db/create-database';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { compileAhead } from '@gatehouse/stack/compile-ahead';
import { keepDatabase } from '@gatehouse/stack/database';
import { ONE_TRUSTED_HOP } from '@gatehouse/stack/envoy/changes';
import { runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { makeLogFolder } from '@gatehouse/stack/logs';
import { choosePorts } from '@gatehouse/stack/ports';
import { addresses, environments, PORT_NAMES, PROCESSES } from '@gatehouse/stack/processes';
import { secretsOf } from '@gatehouse/stack/secrets';
import { serviceLogins } from '@gatehouse/stack/service-logins';
import { type Replica, replica } from './replica.ts';

export interface FleetOptions {
  /** How long a process that is told to end takes work. */
  readonly drain_delay_seconds: number;
  readonly say: (line: string) => void;
}

/** PostgreSQL, Redis, two replicas of each process, and Envoy in front of the two edges. */
export interface Fleet {
  /** Envoy's, without a path. */
  readonly url: string;
  readonly database_url: string;
  readonly redis: RedisServer;
  /** By the process's name. */
  readonly replicas: Readonly<Record<string, readonly Replica[]>>;
  /** Comes back when Envoy sends requests to every edge. */
  settled(): Promise<void>;
  /** What Envoy answered of itself or passed on with a status of 500 and above: `503 via_upstream`. */
  troubles(): readonly string[];
  /** What the processes have logged: warnings and errors. */
  warnings(): readonly string[];
  /** Kills PostgreSQL, which is started again by itself, and comes back when it answers. */
  killDatabase(): Promise<void>;
  close(): Promise<void>;
}

const REPLICAS = 2;
/** `chat-1` */
const nameOf = (process: string, n: number): string => `${process}-${n + 1}`;
export const REPLICA_NAMES: readonly string[] = PROCESSES.flatMap(({ name }) =>
  Array.from({ length: REPLICAS }, (_, n) => nameOf(name, n)),
);
const LOOK_EVERY_MS = 50;

/** @throws where there is no Envoy or no Redis */
export async function startFleet({ drain_delay_seconds, say }: FleetOptions): Promise<Fleet> {
  const { path: data_dir, remove } = await testDataFolder('drill');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const logs = makeLogFolder(data_dir);
    say(`logs: ${logs}`);
    await compileAhead();
    const database = await keepDatabase(data_dir, join(logs, 'postgres.log'), say);
    resources.add('database', database.close);
    const redis = await redisServer();
    resources.add('redis', redis.close);

    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      REDIS_URL: redis.url,
      RATELIMIT_KEY_SECRET: 'drill-only-secret-of-no-worth-0123456789',
      RATELIMIT_REPLICAS: String(REPLICAS),
      GATEWAY_REPLICAS: String(REPLICAS),
      TRUSTED_PROXIES: '127.0.0.1/32',
      LOGIN_LOCATION_CHECK: 'off',
      DATABASE_POOL_SIZE: '5',
      DRAIN_DELAY_SECONDS: String(drain_delay_seconds),
      LOG_LEVEL: 'warn',
    };
    const database_urls = await serviceLogins(database.url, say);
    const secrets = secretsOf({ data_dir, env, shared_database: false, say });
    const ports = await differentPorts(REPLICAS);
    const metricsPorts = await differentPorts(REPLICAS, ports);
    const replicas: Record<string, Replica[]> = {};
    for (const [index, row] of PROCESSES.entries()) {
      replicas[row.name] = ports.map((own, n) => {
        const metrics = `127.0.0.1:${metricsPorts[n]?.[index]}`;
        const surroundings = { host: '127.0.0.1', ports: own, data_dir, database_urls };
        const told = environments({ ...surroundings, env: { ...env, ...secrets } })[index];
        return replica({
          name: nameOf(row.name, n),
          entry: row.entry,
          env: { ...told, ...addressesOfAll(ports), METRICS_LISTEN: metrics },
          metrics,
          log_file: join(logs, `${nameOf(row.name, n)}.log`),
        });
      });
    }
    const all = Object.values(replicas).flat();
    resources.add('replicas', () => Promise.all(all.map((one) => one.kill())));
    say(`starting ${all.length} processes`);
    const { gateway = [], ...services } = replicas;
    await startAll(Object.values(services).flat());
    await startAll(gateway); // An edge gives up where no service answers in time, as all start at once.

    const edges = ports.map(([port]) => `127.0.0.1:${port}`);
    const webSockets = ports.map((own) => `127.0.0.1:${own[PORT_NAMES.indexOf('WebSockets')]}`);
    const envoy = await runEnvoy({
      file: 'front.yaml',
      addresses: { gateway: edges, realtime: webSockets },
      changes: [ONE_TRUSTED_HOP],
    });
    resources.add('envoy', envoy.close);
    await envoy.healthy('gateway', REPLICAS);
    return {
      url: envoy.url,
      database_url: database.url,
      redis,
      replicas,
      settled: () => envoy.healthy('gateway', REPLICAS),
      troubles: () =>
        envoy
          .requests()
          .filter(({ status }) => status >= 500 || status === 0)
          .map(({ status, details, edge, tries }) => `${status} ${details} ${edge} ${tries}`),
      warnings: () =>
        readdirSync(logs)
          .filter((name) => name.endsWith('.log') && name !== 'postgres.log')
          .flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'))
          .filter((line) => line.startsWith('{')),
      killDatabase: async () => {
        const killed = database.pid();
        if (killed === undefined) throw new Error('PostgreSQL is not running');
        process.kill(killed, 'SIGKILL');
        while (database.pid() === undefined || database.pid() === killed) await sleep(LOOK_EVERY_MS);
        while (!(await answers(database.url))) await sleep(LOOK_EVERY_MS);
      },
      close: resources.close,
    };
  } catch (error) {
    await resources.close().catch(() => undefined); // What made it fail is what to tell.
    throw error;
  }
}

async function startAll(replicas: readonly Replica[]): Promise<void> {
  await Promise.all(replicas.map((one) => one.start()));
}

async function answers(database_url: string): Promise<boolean> {
  return onServer(database_url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}

/** For each replica of the suite, a port of each process; none of those that are taken. */
async function differentPorts(replicas: number, taken: readonly number[][] = []): Promise<number[][]> {
  for (;;) {
    const drawn: number[][] = [];
    while (drawn.length < replicas) drawn.push(await choosePorts('127.0.0.1', 0));
    const all = [...drawn, ...taken].flat();
    if (new Set(all).size === all.length) return drawn;
  }
}

function addressesOfAll(ports: readonly (readonly number[])[]): NodeJS.ProcessEnv {
  return addresses((index) => ports.map((own) => `127.0.0.1:${own[index]}`).join(','));
}
