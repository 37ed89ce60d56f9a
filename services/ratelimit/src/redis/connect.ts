import type { Logger } from '@gatehouse/kit/log';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from './redis-url.ts';

/** No connection or answer for so long: the connection is given up and made anew. */
const SILENCE_MS = 500;
const MAX_BACK_OFF_MS = 250;
/** How long a primary that was replaced may take to say goodbye. */
const DISCONNECT_MS = 100;
/** How soon a cluster's client learns of a failover that no redirection tells it. */
const TOPOLOGY_MS = 1000;
const LOG_EVERY_MS = 1000;

export interface Connection {
  readonly client: Redis | Cluster;
  close(): void;
}

/**
 * A client that fails at once instead of waiting for better times, and never sends a command twice: a
 * charge whose answer was lost may have been made. (ioredis does all of this unless it is told.)
 */
export function connect(target: RedisTarget, log: Logger): Connection {
  const client: Redis | Cluster =
    target.layout === 'cluster' ? connectCluster(target) : connectSingle(target);
  let quietUntil = 0;
  const warn = (error: unknown): void => {
    const now = Date.now();
    if (now < quietUntil) return;
    quietUntil = now + LOG_EVERY_MS;
    log.warn({ err: withoutCommand(error) }, 'redis does not answer');
  };
  client.on('error', warn);
  client.on('node error', warn);

  // ioredis gives up for good where a failover is told to it while it connects.
  let again: NodeJS.Timeout | undefined;
  const startAnew = (): void => {
    again = setTimeout(() => void client.connect().catch(() => undefined), MAX_BACK_OFF_MS).unref();
  };
  client.on('end', startAnew);
  return {
    client,
    close: () => {
      client.off('end', startAnew);
      clearTimeout(again);
      client.disconnect();
    },
  };
}

function backOff(times: number): number {
  return Math.min(25 * times, MAX_BACK_OFF_MS);
}

function connectSingle(target: RedisTarget): Redis {
  const { layout, hosts, tls } = target;
  const common = {
    ...nodeOptions(target),
    db: target.db,
    enableOfflineQueue: false,
    retryStrategy: backOff,
  } satisfies RedisOptions;
  if (layout === 'single') return new Redis({ ...common, ...hosts[0] });
  return new Redis({
    ...common,
    name: target.name,
    sentinels: [...hosts],
    sentinelRetryStrategy: backOff,
    sentinelReconnectStrategy: backOff,
    sentinelCommandTimeout: SILENCE_MS,
    failoverDetector: true,
    disconnectTimeout: DISCONNECT_MS,
    enableTLSForSentinelMode: tls !== undefined,
    ...(tls === undefined ? {} : { sentinelTLS: tls }),
    ...(target.sentinel_password === undefined ? {} : { sentinelPassword: target.sentinel_password }),
  });
}

function connectCluster(target: RedisTarget): Cluster {
  const options = {
    redisOptions: nodeOptions(target),
    enableOfflineQueue: false,
    clusterRetryStrategy: backOff,
    clusterNodeRetryStrategy: backOff,
    // Redirections are refusals of a command that was not run; lost connections are not.
    maxRedirections: 4,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: TOPOLOGY_MS,
    slotsRefreshTimeout: SILENCE_MS,
    // Behind TLS a node goes by the name in its certificate.
    ...(target.tls === undefined
      ? {}
      : { dnsLookup: (host: string, found: (error: null, address: string) => void) => found(null, host) }),
  } satisfies ClusterOptions;
  const cluster = new Cluster([...target.hosts], options);
  // Else a node is connected by its first command, and those that come meanwhile fail.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => undefined));
  return cluster;
}

function nodeOptions({ username, password, tls }: RedisTarget) {
  return {
    protocol: 2 as const,
    connectionName: 'gatehouse-ratelimit',
    disableClientInfo: true,
    connectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A primary that became a replica: look for the one that took over, without sending the charge again.
    reconnectOnError: (error: Error) => /\bREADONLY\b/.test(error.message),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisOptions;
}

/** ioredis hangs the command, and so keys, on its errors; logs take the message alone. */
export function withoutCommand(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const last = (error as { lastNodeError?: unknown }).lastNodeError;
  return new Error(last instanceof Error ? `${message}: ${last.message}` : message);
}
