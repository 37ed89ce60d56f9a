import type { Caller } from '@gatehouse/proto/kit/calls';
import { cancelled, deadlineExceeded, Fault, internal } from '../fault.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type Call, nobody } from './call.ts';
import type { ClientTls } from './client-tls.ts';
import {
  type MethodDefinition,
  methodPath,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
  unaryMethods,
} from './definition.ts';
import type { Link } from './link.ts';
import type { Transport } from './open-link.ts';
import { RENEW_AFTER_MS, type Replicas, replicas } from './replicas.ts';
import { Unreachable } from './unreachable.ts';

export interface CallOptions {
  /** How long the caller waits; a shorter deadline of `within` wins. */
  readonly timeoutMs: number;
  /** The call being handled: its caller, request ID and deadline are passed on. */
  readonly within?: Call;
  readonly caller?: Caller;
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** The request's bytes where it is encoded already; then the message is not looked at. */
  readonly encoded?: Uint8Array;
}

/** A service's methods as functions. They throw Fault and nothing else. */
export type Client<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: (
    request: RequestOf<D['methods'][M]>,
    options: CallOptions,
  ) => Promise<ResponseOf<D['methods'][M]>>;
};

export interface Connection<D extends ServiceDefinition> {
  readonly client: Client<D>;
  /** Whether a replica says SERVING (grpc.health.v1) within the time and takes calls now. */
  healthy(timeoutMs: number): Promise<boolean>;
  /** Takes no further calls; those that are open are answered. */
  close(): void;
}

export interface ConnectOptions {
  /** host:port, or several joined by commas; a host name stands for all its addresses. */
  readonly address: string;
  /** "stream" unless given: the call stream. "unary": every call an RPC of its own. */
  readonly transport?: Transport;
  readonly log?: Logger;
  /** The age at which a connection is replaced; 5 minutes unless given. */
  readonly renewAfterMs?: number;
  /** Mutual TLS; in the clear without it. */
  readonly tls?: ClientTls | undefined;
}

/**
 * Connects to every replica of a service and spreads calls over them, the least busy first. When a
 * replica is lost, others are tried with calls that were never sent, and one with those that the contract
 * marks with an idempotency_level.
 */
export function connect<const D extends ServiceDefinition>(
  service: D,
  options: ConnectOptions,
): Connection<D> {
  const peers = replicas({
    address: options.address,
    transport: options.transport ?? 'stream',
    log: options.log ?? silentLogger,
    renewAfterMs: options.renewAfterMs ?? RENEW_AFTER_MS,
    tls: options.tls,
  });
  const client: Record<string, unknown> = {};
  for (const [name, method] of unaryMethods(service))
    client[name] = caller(peers, methodPath(service, method), method);
  return {
    client: client as Client<D>,
    healthy: (timeoutMs) => peers.pick().isServing(timeoutMs),
    close: () => peers.close(),
  };
}

function caller(
  peers: Replicas,
  path: string,
  method: MethodDefinition,
): (request: unknown, options: CallOptions) => Promise<unknown> {
  const repeatable = method.options.idempotencyLevel !== undefined;

  return (request, options) => {
    const { within, signal, encoded } = options;
    const caller = options.caller ?? within?.caller ?? nobody;
    const requestId = options.requestId ?? within?.requestId ?? '';
    const left_ms = timeLeft(options);
    const due_ms = performance.now() + left_ms;
    return new Promise((succeed, reject) => {
      callOn(peers.pick(), left_ms, 1);

      function callOn(link: Link, left_ms: number, tries: number): void {
        const timeoutMs = Math.ceil(left_ms);
        if (!(timeoutMs > 0)) reject(deadlineExceeded());
        else if (signal?.aborted === true) reject(cancelled());
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
            signal,
            succeed,
            fail,
          });

        /** On another replica, where that may help; later, when what has failed has been let go. */
        function fail(error: Error): void {
          if (error instanceof Unreachable && tries < mostTries(error))
            queueMicrotask(() => callOn(peers.pick(link), due_ms - performance.now(), tries + 1));
          else reject(error instanceof Fault ? error : internal(error));
        }
      }
    });
  };

  function mostTries({ sent }: Unreachable): number {
    if (sent) return repeatable ? 2 : 1;
    return Math.max(2, peers.count());
  }
}

/** Until the caller gives up, in milliseconds. */
function timeLeft({ timeoutMs, within }: CallOptions): number {
  const left_ms = within === undefined ? timeoutMs : Math.min(timeoutMs, within.due_ms - performance.now());
  return Math.min(left_ms, MAX_TIMEOUT_MS);
}

/** A day: what gRPC and the timers of Node can count for certain. */
const MAX_TIMEOUT_MS = 86_400_000;
