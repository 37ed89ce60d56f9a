import { join } from 'node:path';
import { choosePorts } from '@gatehouse/stack/ports';
import { addresses, environments, PROCESSES } from '@gatehouse/stack/processes';
import { secretsOf } from '@gatehouse/stack/secrets';
import { serviceLogins } from '@gatehouse/stack/service-logins';
import { Replica } from './replica.ts';

export interface FleetReplicas {
  /** By the process's name. */
  readonly replicas: Readonly<Record<string, readonly Replica[]>>;
  /** For each replica of the stack, the ports of its processes. */
  readonly ports: readonly (readonly number[])[];
}

export interface FleetReplicasOptions {
  readonly data_dir: string;
  readonly logs: string;
  readonly database_url: string;
  readonly redis_url: string;
  readonly drain_delay_seconds: number;
  readonly say: (line: string) => void;
}

export const REPLICAS = 2;
/** `chat-1` */
const nameOf = (process: string, n: number): string => `${process}-${n + 1}`;
export const REPLICA_NAMES: readonly string[] = PROCESSES.flatMap(({ name }) =>
  Array.from({ length: REPLICAS }, (_, n) => nameOf(name, n)),
);

/** The replicas of each process, which have not been started. Each calls all replicas of the others. */
export async function fleetReplicas(options: FleetReplicasOptions): Promise<FleetReplicas> {
  const { data_dir, logs, database_url, say } = options;
  const env = settingsOf(options);
  const database_urls = await serviceLogins(database_url, say);
  const secrets = secretsOf({ data_dir, env, shared_database: false, say });
  const ports = await distinctPorts(REPLICAS);
  const metricsPorts = await distinctPorts(REPLICAS, ports);
  const allAddresses = addresses((index) => ports.map((own) => `127.0.0.1:${own[index]}`).join(','));
  const own = (n: number) =>
    environments({
      host: '127.0.0.1',
      ports: ports[n] ?? [],
      data_dir,
      database_urls,
      env: { ...env, ...secrets },
    });

  const replicas: Record<string, Replica[]> = {};
  for (const [index, { name, entry }] of PROCESSES.entries()) {
    replicas[name] = ports.map((_, n) => {
      const metrics = `127.0.0.1:${metricsPorts[n]?.[index]}`;
      return new Replica({
        name: nameOf(name, n),
        entry,
        env: { ...own(n)[index], ...allAddresses, METRICS_LISTEN: metrics },
        metrics,
        log_file: join(logs, `${nameOf(name, n)}.log`),
      });
    });
  }
  return { replicas, ports };
}

function settingsOf({ redis_url, drain_delay_seconds }: FleetReplicasOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    REDIS_URL: redis_url,
    RATELIMIT_KEY_SECRET: 'drill-only-secret-of-no-worth-0123456789',
    RATELIMIT_REPLICAS: String(REPLICAS),
    GATEWAY_REPLICAS: String(REPLICAS),
    TRUSTED_PROXIES: '127.0.0.1/32',
    LOGIN_LOCATION_CHECK: 'off',
    DATABASE_POOL_SIZE: '5',
    DRAIN_DELAY_SECONDS: String(drain_delay_seconds),
    LOG_LEVEL: 'warn',
  };
}

/** Free ports for the processes of each replica of the stack: all distinct, and none of `taken`. */
async function distinctPorts(replicas: number, taken: readonly number[][] = []): Promise<number[][]> {
  for (;;) {
    const drawn: number[][] = [];
    while (drawn.length < replicas) drawn.push(await choosePorts('127.0.0.1', 0));
    const all = [...drawn, ...taken].flat();
    if (new Set(all).size === all.length) return drawn;
  }
}
