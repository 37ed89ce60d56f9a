import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { type Resources, resourceStack } from '@gatehouse/kit/lifecycle';
import { compileAhead } from '@gatehouse/stack/compile-ahead';
import { type Database, superviseDatabase } from '@gatehouse/stack/database';
import { ONE_TRUSTED_HOP } from '@gatehouse/stack/envoy/changes';
import { type RunningEnvoy, runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { makeLogFolder } from '@gatehouse/stack/logs';
import { PORT_NAMES } from '@gatehouse/stack/processes';
import { type FleetReplicas, fleetReplicas, REPLICAS } from './fleet-replicas.ts';
import type { Replica } from './replica.ts';

export interface FleetOptions {
  /** The drain delay of a process after SIGTERM. */
  readonly drain_delay_seconds: number;
  readonly say: (line: string) => void;
}

const POLL_MS = 50;

interface Parts {
  readonly logs: string;
  readonly database: Database;
  readonly redis: RedisServer;
  readonly replicas: FleetReplicas['replicas'];
  readonly envoy: RunningEnvoy;
}

/** PostgreSQL, Redis, two replicas of each process, and Envoy in front of the two edges. */
export class Fleet {
  readonly redis: RedisServer;
  /** By the process's name. */
  readonly replicas: FleetReplicas['replicas'];
  readonly close: () => Promise<void>;
  readonly #logs: string;
  readonly #database: Database;
  readonly #envoy: RunningEnvoy;

  private constructor({ logs, database, redis, replicas, envoy }: Parts, close: () => Promise<void>) {
    this.redis = redis;
    this.replicas = replicas;
    this.close = close;
    this.#logs = logs;
    this.#database = database;
    this.#envoy = envoy;
  }

  /** @throws Error without Envoy or Redis on this machine */
  static async start(options: FleetOptions): Promise<Fleet> {
    const { path, remove } = await testDataFolder('drill');
    const resources = resourceStack();
    resources.add('folder', remove);
    try {
      const fleet = new Fleet(await startParts(options, path, resources), resources.close);
      await fleet.settled();
      return fleet;
    } catch (error) {
      await resources.close().catch(() => undefined); // The first error is the one to report.
      throw error;
    }
  }

  /** Envoy's, without a path. */
  get url(): string {
    return this.#envoy.url;
  }

  get database_url(): string {
    return this.#database.url;
  }

  /** Resolves once Envoy sends requests to every edge. */
  settled(): Promise<void> {
    return this.#envoy.healthy('gateway', REPLICAS);
  }

  /** Answers of 500 and above, Envoy's own or passed on: `503 via_upstream`. */
  serverErrors(): readonly string[] {
    return this.#envoy
      .requests()
      .filter(({ status }) => status >= 500 || status === 0)
      .map(({ status, details, edge, tries }) => `${status} ${details} ${edge} ${tries}`);
  }

  /** The warnings and errors in the logs of the processes. */
  warnings(): readonly string[] {
    return readdirSync(this.#logs)
      .filter((name) => name.endsWith('.log') && name !== 'postgres.log')
      .flatMap((name) => readFileSync(join(this.#logs, name), 'utf8').split('\n'))
      .filter((line) => line.startsWith('{'));
  }

  /** Kills PostgreSQL, which is restarted automatically, and waits until it answers. */
  async killDatabase(): Promise<void> {
    const killed = this.#database.pid();
    if (killed === undefined) throw new Error('PostgreSQL is not running');
    process.kill(killed, 'SIGKILL');
    while (this.#database.pid() === undefined || this.#database.pid() === killed) await sleep(POLL_MS);
    while (!(await answers(this.#database.url))) await sleep(POLL_MS);
  }
}

async function startParts(
  { drain_delay_seconds, say }: FleetOptions,
  data_dir: string,
  resources: Resources,
): Promise<Parts> {
  const logs = makeLogFolder(data_dir);
  say(`logs: ${logs}`);
  await compileAhead();
  const database = await superviseDatabase(data_dir, join(logs, 'postgres.log'), say);
  resources.add('database', () => database.close());
  const redis = await redisServer();
  resources.add('redis', redis.close);

  const { replicas, ports } = await fleetReplicas({
    data_dir,
    logs,
    database_url: database.url,
    redis_url: redis.url,
    drain_delay_seconds,
    say,
  });
  const all = Object.values(replicas).flat();
  resources.add('replicas', () => Promise.all(all.map((one) => one.kill())));
  say(`starting ${all.length} processes`);
  const { gateway = [], ...services } = replicas;
  await startAll(Object.values(services).flat());
  await startAll(gateway); // Edges give up if no service answers in time, and all services start at once.

  const edges = ports.map(([port]) => `127.0.0.1:${port}`);
  const webSockets = ports.map((own) => `127.0.0.1:${own[PORT_NAMES.indexOf('WebSockets')]}`);
  const envoy = await runEnvoy({
    file: 'front.yaml',
    addresses: { gateway: edges, realtime: webSockets },
    changes: [ONE_TRUSTED_HOP],
  });
  resources.add('envoy', envoy.close);
  return { logs, database, redis, replicas, envoy };
}

async function startAll(replicas: readonly Replica[]): Promise<void> {
  await Promise.all(replicas.map((one) => one.start()));
}

async function answers(database_url: string): Promise<boolean> {
  return inMaintenanceDatabase(database_url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}
