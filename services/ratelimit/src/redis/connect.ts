import type { Logger } from '@gatehouse/kit/log';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from './redis-url.ts';

/** After this time without a connection or an answer, the connection is closed and opened again. */
const SILENCE_MS = 500;
const MAX_BACK_OFF_MS = 250;
/** Maximum time for a replaced primary to close its connection. */
const DISCONNECT_MS = 100;
/** The interval at which a cluster's client looks for failovers that no redirection reports. */
const TOPOLOGY_MS = 1000;
const LOG_EVERY_MS = 1000;

export interface Connection {
  readonly client: Redis | Cluster;
  close(): void;
}

/**
 * A client that fails at once instead of queueing, and never sends a command twice: a charge whose answer was lost
 * may have been made. ioredis does both by default.
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

  // ioredis stops for good if it learns of a failover while it connects.
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
    // A redirected command was not run; a command on a lost connection may have been.
    maxRedirections: 4,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: TOPOLOGY_MS,
    slotsRefreshTimeout: SILENCE_MS,
    // Behind TLS a node has the name in its certificate.
    ...(target.tls === undefined
      ? {}
      : { dnsLookup: (host: string, found: (error: null, address: string) => void) => found(null, host) }),
  } satisfies ClusterOptions;
  const cluster = new Cluster([...target.hosts], options);
  // Otherwise a node is connected by its first command, and simultaneous commands fail.
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
    // A primary became a replica: finds the new primary, without sending the charge again.
    reconnectOnError: (error: Error) => /\bREADONLY\b/.test(error.message),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisOptions;
}

/** ioredis attaches the command, and so keys, to its errors; logs get the message alone. */
export function withoutCommand(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const last = (error as { lastNodeError?: unknown }).lastNodeError;
  return new Error(last instanceof Error ? `${message}: ${last.message}` : message);
}
