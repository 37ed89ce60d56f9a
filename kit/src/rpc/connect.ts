import { type Logger, silentLogger } from '../log.ts';
import type { RpcMetrics } from '../metrics/rpc-metrics.ts';
import type { CallOptions, StreamOptions } from './call-options.ts';
import { type CallableMethod, ClientCall } from './client-call.ts';
import {
  type MethodDefinition,
  methodPath,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
  streamingMethods,
  unaryMethods,
} from './definition.ts';
import type { LocalPeer } from './direct/direct-link.ts';
import type { Transport } from './open-link.ts';
import { RENEW_AFTER_MS, Replicas } from './replicas.ts';
import { streamCaller } from './streaming/stream-caller.ts';
import type { ClientTls } from './tls/client-tls.ts';

/**
 * A service's methods as functions, without those that have streams in both directions. They throw Fault and nothing
 * else.
 */
export type Client<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods'] as D['methods'][M]['requestStream'] extends true
    ? never
    : M]: ClientMethod<D['methods'][M]>;
};

/** Iterating begins the call of a stream. Leaving the iteration early cancels it. */
type ClientMethod<M extends MethodDefinition> = M['responseStream'] extends true
  ? (request: RequestOf<M>, options?: StreamOptions) => AsyncIterable<ResponseOf<M>>
  : (request: RequestOf<M>, options: CallOptions) => Promise<ResponseOf<M>>;

export interface Connection<D extends ServiceDefinition> {
  readonly client: Client<D>;
  /** Whether a replica answers SERVING (grpc.health.v1) in time and takes calls now. */
  healthy(timeoutMs: number): Promise<boolean>;
  /** Refuses further calls. Open calls are still answered, and open streams continue. */
  close(): void;
}

export interface ConnectOptions {
  /** host:port, or several separated by commas. A host name stands for all its addresses. */
  readonly address: string;
  /** "unary" for few calls, and for a peer behind a proxy. Default: "stream". */
  readonly transport?: Transport;
  readonly log?: Logger;
  readonly metrics?: RpcMetrics | undefined;
  /** The age at which a connection is replaced. Default: 5 minutes. */
  readonly renewAfterMs?: number;
  /** Mutual TLS. Without it, connections are in plaintext. */
  readonly tls?: ClientTls | undefined;
  /** The services of this process, which are called without a connection. */
  readonly local?: LocalPeer | undefined;
}

/**
 * Connects to every replica of a service. Each call goes to the least busy one. If that replica is lost before the
 * call was sent, all others are tried. If it is lost later, the call is repeated once, on another replica, and only
 * if the .proto gives the method an `idempotency_level`.
 */
export function connect<const D extends ServiceDefinition>(
  service: D,
  options: ConnectOptions,
): Connection<D> {
  const replicas = new Replicas({
    address: options.address,
    transport: options.transport ?? 'stream',
    log: options.log ?? silentLogger,
    renewAfterMs: options.renewAfterMs ?? RENEW_AFTER_MS,
    tls: options.tls,
    local: options.local,
  });
  const { metrics } = options;
  const client: Record<string, unknown> = {};
  for (const [name, method] of unaryMethods(service))
    client[name] = unaryCaller({ replicas, path: methodPath(service, method), method, metrics });
  for (const [name, method] of streamingMethods(service))
    client[name] = streamCaller(replicas, methodPath(service, method), method);
  return {
    client: client as Client<D>,
    healthy: (timeoutMs) => replicas.isServing(timeoutMs),
    close: () => replicas.close(),
  };
}

function unaryCaller(callable: CallableMethod): (request: unknown, options: CallOptions) => Promise<unknown> {
  return (request, options) =>
    new Promise((resolve, reject) => {
      new ClientCall(callable, request, options, resolve, reject).begin();
    });
}
