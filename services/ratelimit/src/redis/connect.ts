import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from './redis-url.ts';

/** A connection that is silent for this long, or for REDIS_TIMEOUT_MS if that is longer, is closed and opened again. */
const SILENCE_TIMEOUT_MS = 500;
const MAX_BACK_OFF_MS = 250;
/** Maximum time for a replaced primary to close its connection. */
const DISCONNECT_TIMEOUT_MS = 100;
/** The interval at which a cluster's client reads the slots: not every failover causes a redirection. */
const SLOTS_REFRESH_MS = 1000;

export interface RedisConnection {
  readonly client: Redis | Cluster;
  close(): void;
}

/**
 * Connects a client that fails at once instead of queueing commands, and never sends one twice: a charge whose answer was lost
 * may have been made. By default ioredis queues and repeats.
 *
 * @param timeout_ms how long a command may take
 */
export function connect(target: RedisTarget, log: Logger, timeout_ms: number): RedisConnection {
  const node = nodeOptions(target, timeout_ms);
  const client: Redis | Cluster =
    target.layout === 'cluster' ? connectCluster(target, node) : connectSingle(target, node);
  const warn = throttledLog<unknown>((times, error) =>
    log.warn({ err: withoutCommand(error), times }, 'redis does not answer'),
  );
  client.on('error', warn);
  client.on('node error', warn);

  // ioredis gives up if it learns of a failover while it connects.
  let reconnect: NodeJS.Timeout | undefined;
  const reconnectLater = (): void => {
    reconnect = setTimeout(() => void client.connect().catch(() => undefined), MAX_BACK_OFF_MS).unref();
  };
  client.on('end', reconnectLater);
  return {
    client,
    close: () => {
      client.off('end', reconnectLater);
      clearTimeout(reconnect);
      client.disconnect();
    },
  };
}

function backOff(times: number): number {
  return Math.min(25 * times, MAX_BACK_OFF_MS);
}

function connectSingle(target: RedisTarget, node: NodeOptions): Redis {
  const { layout, hosts, tls } = target;
  const common = {
    ...node,
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
    sentinelCommandTimeout: SILENCE_TIMEOUT_MS,
    failoverDetector: true,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableTLSForSentinelMode: tls !== undefined,
    ...(tls === undefined ? {} : { sentinelTLS: tls }),
    ...(target.sentinel_password === undefined ? {} : { sentinelPassword: target.sentinel_password }),
  });
}

function connectCluster(target: RedisTarget, node: NodeOptions): Cluster {
  const options = {
    redisOptions: node,
    enableOfflineQueue: false,
    clusterRetryStrategy: backOff,
    clusterNodeRetryStrategy: backOff,
    // A redirected command was not run; a command on a lost connection may have been.
    maxRedirections: 4,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    slotsRefreshTimeout: SILENCE_TIMEOUT_MS,
    // With TLS, nodes are addressed by the names in their certificates.
    ...(target.tls === undefined
      ? {}
      : { dnsLookup: (host: string, found: (error: null, address: string) => void) => found(null, host) }),
  } satisfies ClusterOptions;
  const cluster = new Cluster([...target.hosts], options);
  // By default a node is connected at its first command, and other commands fail until then.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => undefined));
  return cluster;
}

type NodeOptions = ReturnType<typeof nodeOptions>;

function nodeOptions({ username, password, tls }: RedisTarget, timeout_ms: number) {
  return {
    protocol: 2 as const,
    connectionName: 'gatehouse-ratelimit',
    disableClientInfo: true,
    connectTimeout: SILENCE_TIMEOUT_MS,
    socketTimeout: Math.max(SILENCE_TIMEOUT_MS, timeout_ms),
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // After a primary became a replica: finds the new primary, and does not repeat the command.
    reconnectOnError: (error: Error) => /\bREADONLY\b/.test(error.message),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisOptions;
}

/** Only the message of an error, for logs: ioredis attaches the command, which has keys. */
export function withoutCommand(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const last = (error as { lastNodeError?: unknown }).lastNodeError;
  return new Error(last instanceof Error ? `${message}: ${last.message}` : message);
}
