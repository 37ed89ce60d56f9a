import { Caller } from '@gatehouse/proto/kit/calls';
import { cancelled, deadlineExceeded, Fault, internal } from '../fault.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type Call, nobody } from './call.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
import {
  type MethodDefinition,
  methodPath,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
  unaryMethods,
} from './definition.ts';
import type { Link, Transport } from './link.ts';
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
  });
  const client: Record<string, unknown> = {};
  for (const [name, method] of unaryMethods(service))
    client[name] = caller(peers, methodPath(service, method), method);
  return {
    client: client as Client<D>,
    healthy: (timeoutMs) => healthy(peers, timeoutMs),
    close: () => peers.close(),
  };
}

function caller(
  peers: Replicas,
  path: string,
  { requestType, responseType, options: { idempotencyLevel } }: MethodDefinition,
): (request: unknown, options: CallOptions) => Promise<unknown> {
  const repeatable = idempotencyLevel !== undefined;

  function decode(response: Uint8Array): unknown {
    try {
      return decodeMessage(responseType, response);
    } catch (error) {
      throw internal(error);
    }
  }

  // Promises by hand: an async function a call costs the edge more than the encoding of its message.
  return (message, options) => {
    let request: Uint8Array;
    try {
      request = encodeMessage(requestType, message);
    } catch (error) {
      return Promise.reject(internal(error));
    }
    const left_ms = timeLeft(options);
    const due_ms = performance.now() + left_ms;
    const link = peers.pick();
    return callOn(link, path, request, { left_ms, due_ms }, options).then(decode, (error: unknown) =>
      elsewhere(error, link, 1),
    );

    /** On another replica, where that may help: `tries` have failed, the last of them on `link`. */
    function elsewhere(error: unknown, link: Link, tries: number): Promise<unknown> {
      if (!(error instanceof Unreachable) || tries >= mostTries(error)) throw asFault(error);
      const another = peers.pick(link);
      const again = { left_ms: due_ms - performance.now(), due_ms };
      return callOn(another, path, request, again, options).then(decode, (next: unknown) =>
        elsewhere(next, another, tries + 1),
      );
    }
  };

  function mostTries({ sent }: Unreachable): number {
    if (sent) return repeatable ? 2 : 1;
    return Math.max(2, peers.count());
  }
}

function asFault(error: unknown): Fault {
  return error instanceof Fault ? error : internal(error);
}

/** Until the caller gives up, in milliseconds. */
function timeLeft({ timeoutMs, within }: CallOptions): number {
  const left_ms = within === undefined ? timeoutMs : Math.min(timeoutMs, within.deadline - Date.now());
  return Math.min(left_ms, MAX_TIMEOUT_MS);
}

function callOn(
  link: Link,
  path: string,
  request: Uint8Array,
  { left_ms, due_ms }: { readonly left_ms: number; readonly due_ms: number },
  options: CallOptions,
): Promise<Uint8Array> {
  const { caller, requestId, signal, within } = options;
  const timeoutMs = Math.ceil(left_ms);
  if (!(timeoutMs > 0)) return Promise.reject(deadlineExceeded());
  if (signal?.aborted === true) return Promise.reject(cancelled());
  return link.call({
    path,
    request,
    timeoutMs,
    due_ms,
    caller: encodeCaller(caller ?? within?.caller ?? nobody),
    requestId: requestId ?? within?.requestId ?? '',
    signal,
  });
}

/** A day: what gRPC and the timers of Node can count for certain. */
const MAX_TIMEOUT_MS = 86_400_000;

const EMPTY = new Uint8Array();

function encodeCaller(who: Caller): Uint8Array {
  return who === nobody ? EMPTY : encodeMessage(Caller, who);
}

/**
 * Health is asked over unary RPC: it is not one of the services that the call stream carries. Whoever is told
 * that a replica is there calls next, so the connection for calls must be there, too.
 */
async function healthy(peers: Replicas, timeoutMs: number): Promise<boolean> {
  const check = { path: '/grpc.health.v1.Health/Check', request: EMPTY, caller: EMPTY, requestId: '' };
  try {
    const due_ms = performance.now() + timeoutMs;
    const link = peers.pick();
    const response = await link.unary({ ...check, timeoutMs, due_ms, signal: undefined });
    return link.distance() === 0 && response[0] === 0x08 && response[1] === 1; // HealthCheckResponse { status: SERVING }
  } catch {
    return false;
  }
}
