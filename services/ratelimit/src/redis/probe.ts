import { randomUUID } from 'node:crypto';
import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Charge, Check, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { Cluster, type Redis } from 'ioredis';
import type { RedisTarget } from './redis-url.ts';

/** The server at REDIS_URL cannot keep buckets, and waiting does not help. */
export class UnsuitableRedis extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`REDIS_URL: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'UnsuitableRedis';
  }
}

interface ProbeOptions {
  readonly client: Redis | Cluster;
  readonly layout: RedisTarget['layout'];
  readonly decide: (check: Check) => Promise<Decision>;
  readonly log: Logger;
}

/** Enough to be in several slots of a cluster. */
const SCRATCH_BUCKETS = 16;
const SCRATCH_WINDOW_SECONDS = 1;

/**
 * Checks the server's version and settings, and charges scratch buckets, which expire within a second. A server that does not
 * deny the second charge of a bucket does not run the script correctly.
 *
 * @throws UnsuitableRedis if the server is unsuitable, otherwise the error of the connection
 */
export async function probe({ client, layout, decide, log }: ProbeOptions): Promise<void> {
  try {
    const server = client instanceof Cluster ? client.nodes('master')[0] : client;
    if (server === undefined) throw new Error('the cluster has no primary');
    checkServer(readInfo(await server.info()), layout, log);
    const outcomes = await Promise.allSettled(scratchBuckets().map((bucket) => chargeTwice(bucket, decide)));
    // In a cluster some nodes may be down.
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    const refused = failures.find((failure) => refusalOf(failure) !== undefined);
    if (refused !== undefined || failures.length === outcomes.length) throw refused ?? failures[0];
  } catch (error) {
    const reason = refusalOf(error);
    throw reason === undefined || error instanceof UnsuitableRedis
      ? error
      : new UnsuitableRedis(reason, error);
  }
}

/** The reason why REDIS_URL is wrong, by an error of the server; undefined for transient errors. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof UnsuitableRedis) return error.message;
  const root = error instanceof Fault ? error.cause : error;
  if (!(root instanceof Error)) return undefined;
  const last = (root as { lastNodeError?: unknown }).lastNodeError; // set by ioredis's Cluster
  const message = last instanceof Error ? last.message : root.message;
  if (TRANSIENT.test(message)) return undefined;
  return REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
}

const IS_A_CLUSTER = 'the server is a node of a Redis Cluster: use redis+cluster://';
/** The ACL rules of a user, also for a database number and a Cluster. */
const REQUIRED_ACL =
  '~rl:* +evalsha +eval +mget +set +del +time +info +ping +select +cluster|slots +cluster|info +client|setname';
/** Not anchored where a script's error contains that of its command. */
const REFUSALS: readonly [RegExp, string][] = [
  [/^(WRONGPASS|NOAUTH)|invalid password/, 'the server refuses its user or password'],
  [/cluster support disabled/, 'the server is no Redis Cluster: use redis://'],
  [/^(MOVED|CROSSSLOT)/, IS_A_CLUSTER],
  [/\bREADONLY\b|^REPLICA/, 'the server is a read-only replica (READONLY): name the primary'],
  [
    /\bNOPERM\b|no permissions|can't run this command/,
    `its user may not run the required commands: ${REQUIRED_ACL}`,
  ],
  [/DB index is out of range/, 'the server has no database with that number'],
  [/unknown command/i, 'the server does not know a required command'],
  [/user_script|running script/i, 'the server does not run scripts as Redis does'],
];
/** Errors that pass, or that a setting of the server causes. */
const TRANSIENT =
  /\b(OOM|LOADING|BUSY|MISCONF|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|NOSCRIPT|EXECABORT|UNBLOCKED)\b/;

const OLDEST_VERSION: readonly [major: number, minor: number] = [6, 2];

/** @throws UnsuitableRedis for another layout than the URL's, or an old version */
function checkServer(info: ReadonlyMap<string, string>, layout: RedisTarget['layout'], log: Logger): void {
  if (layout !== 'cluster' && info.get('cluster_enabled') === '1') throw new UnsuitableRedis(IS_A_CLUSTER);
  if (layout === 'single' && info.get('role') === 'slave') {
    throw new UnsuitableRedis('the server is a read-only replica: name the primary');
  }
  const version = info.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1])) {
    throw new UnsuitableRedis(
      `the server is version ${version}; version ${OLDEST_VERSION.join('.')} or later is required`,
    );
  }
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (info.get('maxmemory') !== '0' && policy !== 'noeviction') {
    log.warn({ maxmemory_policy: policy }, 'redis may evict buckets that are not empty, and admit too much');
  }
}

/** The facts of INFO, by name. */
export function readInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').map((line) => line.split(':'));
  return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]));
}

async function chargeTwice(charge: Charge, decide: ProbeOptions['decide']): Promise<void> {
  const first = await decide([[charge]]);
  const second = await decide([[charge]]);
  if (first !== undefined || second === undefined || second.retry_after_us > SCRATCH_WINDOW_SECONDS * 1e6) {
    throw new UnsuitableRedis('the server does not run scripts as Redis does');
  }
}

function scratchBuckets(): Charge[] {
  const rule: BucketRule = { name: 'probe', index: -1, ...rate(1, SCRATCH_WINDOW_SECONDS) };
  const run = randomUUID();
  return Array.from({ length: SCRATCH_BUCKETS }, (_, i) => ({ rule, key: `probe:${run}:${i}`, cost: 1 }));
}
