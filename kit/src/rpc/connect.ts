import { cancelled, deadlineExceeded, Fault, internal } from '../fault.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { RpcMetrics } from '../metrics/rpc-metrics.ts';
import { clientSpan, endClientSpan } from '../trace/rpc-spans.ts';
import { anonymous } from './call.ts';
import type { CallOptions, StreamOptions } from './call-options.ts';
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
import type { Link } from './link.ts';
import { maxAttempts } from './max-attempts.ts';
import type { Transport } from './open-link.ts';
import { RENEW_AFTER_MS, Replicas } from './replicas.ts';
import { streamCaller } from './streaming/stream-caller.ts';
import type { ClientTls } from './tls/client-tls.ts';
import { Unreachable } from './unreachable.ts';

/** A service's methods as functions. They throw Fault and nothing else. */
export type Client<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: ClientMethod<D['methods'][M]>;
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
  const client: Record<string, unknown> = {};
  for (const [name, method] of unaryMethods(service))
    client[name] = unaryCaller(replicas, methodPath(service, method), method, options.metrics);
  for (const [name, method] of streamingMethods(service))
    client[name] = streamCaller(replicas, methodPath(service, method), method);
  return {
    client: client as Client<D>,
    healthy: (timeoutMs) => replicas.isServing(timeoutMs),
    close: () => replicas.close(),
  };
}

function unaryCaller(
  replicas: Replicas,
  path: string,
  method: MethodDefinition,
  metrics: RpcMetrics | undefined,
): (request: unknown, options: CallOptions) => Promise<unknown> {
  return (request, options) => {
    const { parent, signal, encoded } = options;
    const caller = options.caller ?? parent?.caller ?? anonymous;
    const requestId = options.requestId ?? parent?.requestId ?? '';
    const left_ms = timeLeft(options);
    const due_ms = performance.now() + left_ms;
    const span = clientSpan(path);
    return new Promise((resolve, reject) => {
      const succeed =
        span === undefined
          ? resolve
          : (response: unknown): void => {
              endClientSpan(span);
              resolve(response);
            };
      const giveUp = (fault: Fault): void => {
        if (span !== undefined) endClientSpan(span, fault);
        metrics?.failed(path, fault.status);
        reject(fault);
      };
      callOn(replicas.pick(), left_ms, 1);

      function callOn(link: Link, left_ms: number, attempt: number): void {
        const timeoutMs = Math.ceil(left_ms);
        if (!(timeoutMs > 0)) giveUp(deadlineExceeded());
        else if (signal?.aborted === true) giveUp(cancelled());
        else
          link.call({
            path,
            method,
            request,
            encoded,
            timeoutMs,
            due_ms,
            caller,
            requestId,
            traceparent: span?.traceparent ?? '',
            signal,
            succeed,
            fail,
          });

        /** Tries another replica if that may help, after all calls on the lost one have failed. */
        function fail(error: Error): void {
          if (error instanceof Unreachable && attempt < maxAttempts(error, method, replicas))
            queueMicrotask(() => callOn(replicas.pick(link), due_ms - performance.now(), attempt + 1));
          else giveUp(error instanceof Fault ? error : internal(error));
        }
      }
    });
  };
}

/** Milliseconds until the deadline. */
function timeLeft({ timeoutMs, parent }: CallOptions): number {
  const left_ms = parent === undefined ? timeoutMs : Math.min(timeoutMs, parent.due_ms - performance.now());
  return Math.min(left_ms, MAX_TIMEOUT_MS);
}

/** A day, which both gRPC and Node's timers can represent. */
const MAX_TIMEOUT_MS = 86_400_000;
