import { databaseFault } from '../db/errors.ts';
import { cancelled, deadlineExceeded, Fault, internal, kitFault, Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import type { RpcMetrics } from '../metrics/rpc-metrics.ts';
import { withSpan } from '../trace/current-span.ts';
import { endServerSpan, serverSpan } from '../trace/rpc-spans.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { BidiHandler } from './bidi/bidi-handler.ts';
import type { Call, ServerCall } from './call.ts';
import {
  bidiMethods,
  type MethodDefinition,
  methodPath,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
  streamingMethods,
  unaryMethods,
} from './definition.ts';
import { decodeMessage } from './messages/codec.ts';
import { encodeFault } from './messages/fault-wire.ts';
import { type MessageValues, readValues } from './messages/message-values.ts';

export type Handler<Request, Response> = (request: Request, call: Call) => Response | Promise<Response>;

/**
 * Answers with a stream of responses. The next response is pulled when the client has room for it. `call.signal`
 * aborts when the client is gone or this server stops.
 */
export type StreamHandler<Request, Response> = (request: Request, call: Call) => AsyncIterable<Response>;

/** One handler for every method of a service. */
export type Handlers<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: HandlerOf<D['methods'][M]>;
};

type HandlerOf<M extends MethodDefinition> = M['requestStream'] extends true
  ? M['responseStream'] extends true
    ? BidiHandler<RequestOf<M>, ResponseOf<M>>
    : never
  : M['responseStream'] extends true
    ? StreamHandler<RequestOf<M>, ResponseOf<M>>
    : Handler<RequestOf<M>, ResponseOf<M>>;

/** A service with its handlers, for `serve`. */
export interface Implementation {
  readonly service: ServiceDefinition;
  readonly methods: readonly ServedMethod[];
  readonly streams: readonly ServedStream[];
  readonly bidi: readonly ServedBidi[];
}

/** A method with its handler. */
interface Served<H> {
  readonly path: string;
  readonly requestType: MethodDefinition['requestType'];
  readonly responseType: MethodDefinition['responseType'];
  readonly handler: H;
  /** Whether the peer may make calls on behalf of callers; if not, its calls are anonymous. */
  readonly acceptsCaller: boolean;
}

/** A unary method, whichever link its calls use. */
export type ServedMethod = Served<Handler<unknown, unknown>>;
/** A method with a stream of responses (./streaming/). */
export type ServedStream = Served<StreamHandler<unknown, unknown>>;
/** A method with streams in both directions (./bidi/). */
export type ServedBidi = Served<BidiHandler<unknown, unknown>>;

/** An encoded request: `bytes` from `from` up to `to`. */
export interface RequestBytes {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** A received request: as bytes or, from a link of this process (./direct/), as values. */
export type RequestMessage = RequestBytes | MessageValues;

/** Sends the outcome of a call to the client. */
export interface Replies {
  /** @throws if the response cannot be encoded */
  succeed(call: ServerCall, method: ServedMethod, response: unknown): void;
  fail(call: ServerCall, failure: Failure): void;
}

/** A status other than 0, with an encoded google.rpc.Status. */
export interface Failure {
  readonly status: Status;
  readonly details: Uint8Array;
  readonly message: string;
}

/** Binds handlers to a service. A missing handler does not compile. */
export function implement<const D extends ServiceDefinition>(
  service: D,
  handlers: Handlers<D>,
): Implementation {
  const serve =
    <H>(byName: Readonly<Record<string, H>>) =>
    ([name, method]: [string, MethodDefinition]): Served<H> => {
      const handler = byName[name];
      if (handler === undefined) throw new Error(`${service.fullName} has no handler for ${name}`);
      const { requestType, responseType } = method;
      return { path: methodPath(service, method), requestType, responseType, handler, acceptsCaller: true };
    };
  // The type of `handlers` ensures that each has the right kind.
  return {
    service,
    methods: unaryMethods(service).map(serve(handlers as Record<string, ServedMethod['handler']>)),
    streams: streamingMethods(service).map(serve(handlers as Record<string, ServedStream['handler']>)),
    bidi: bidiMethods(service).map(serve(handlers as Record<string, ServedBidi['handler']>)),
  };
}

/**
 * Runs a handler, replies, and writes the call's log line. Never throws. If the handler returns its response without
 * a promise, the reply is sent synchronously, and this function returns undefined.
 */
export function dispatch(
  method: ServedMethod,
  request: RequestMessage,
  call: ServerCall,
  replies: Replies,
  watch: CallWatch,
): Promise<void> | undefined {
  const startedAt = performance.now();
  watch.began(method, call);

  function succeed(response: unknown): void {
    try {
      replies.succeed(call, method, response);
    } catch (error) {
      fail(error);
      return;
    }
    watch.ended(method, call, Status.OK, performance.now() - startedAt, undefined);
  }

  function fail(thrown: unknown): void {
    const { outcome, error } = outcomeOf(thrown, call);
    replies.fail(call, outcome);
    watch.ended(method, call, outcome.status, performance.now() - startedAt, error);
  }

  let response: unknown;
  try {
    if (call.due_ms <= startedAt) throw deadlineExceeded();
    const decoded = decodeRequest(method, request);
    response =
      call.span === undefined
        ? method.handler(decoded, call)
        : withSpan(call.span, () => method.handler(decoded, call));
  } catch (thrown) {
    fail(thrown);
    return undefined;
  }
  if (response instanceof Promise) return response.then(succeed, fail);
  succeed(response);
  return undefined;
}

/** The failure for the client of a call that threw, and the error for the log line if nobody authored one. */
export function outcomeOf(thrown: unknown, call: ServerCall): { outcome: Failure; error: unknown } {
  const fault = toFault(thrown, call);
  const unauthored = fault.status === Status.INTERNAL || fault.status === Status.UNAVAILABLE;
  return { outcome: failure(fault), error: unauthored ? (fault.cause ?? fault) : undefined };
}

/** @throws BAD_REQUEST */
export function decodeRequest(
  { requestType }: Pick<ServedMethod, 'requestType'>,
  request: RequestMessage,
): unknown {
  try {
    return 'values' in request
      ? readValues(requestType, request)
      : decodeMessage(requestType, request.bytes, request.from, request.to);
  } catch (cause) {
    throw undecodable(cause);
  }
}

export function undecodable(cause: unknown): Fault {
  return kitFault('BAD_REQUEST', { message: 'The request message cannot be decoded.', cause });
}

/** A fault that cannot be encoded, because of its size or its members, becomes INTERNAL. */
function failure(fault: Fault): Failure {
  try {
    return { status: fault.status, details: encodeFault(fault), message: fault.message };
  } catch (cause) {
    return failure(internal(cause));
  }
}

function toFault(thrown: unknown, call: ServerCall): Fault {
  if (thrown instanceof Fault) return thrown;
  if (call.aborted) return cancelled();
  return databaseFault(thrown) ?? internal(thrown);
}

/** Observes calls: log lines, metrics and spans. */
export interface CallWatch {
  began(method: Pick<ServedMethod, 'path'>, call: ServerCall): void;
  ended(
    method: Pick<ServedMethod, 'path'>,
    call: ServerCall,
    status: Status,
    ms: number,
    error: unknown,
  ): void;
}

/** A call that takes this long is slow: its log line has level info even if it succeeded. */
export const SLOW_CALL_MS = 1_000;

/**
 * Writes the log line of each call, records its duration, and makes a span if its caller traces it. The level is
 * debug for success, because the edge's access log has a line for the request already; info if the call was slow or
 * ended with an authored fault; error for any other error, which is then passed as `error`.
 */
export function callWatch(log: Logger, metrics?: RpcMetrics, tracer?: Tracer): CallWatch {
  const lines = log.child({}, { redact: [] }); // none of their members can hold a secret
  return {
    began: ({ path }, call) => {
      if (call.traceparent !== '') call.span = serverSpan(tracer, path, call);
    },
    ended: ({ path: rpc }, { requestId: request_id, span }, status, elapsed_ms, error) => {
      const ms = Math.round(elapsed_ms * 1000) / 1000;
      metrics?.observeServed(rpc, status, elapsed_ms);
      const about = span === undefined ? { request_id } : { request_id, trace_id: span.traceId };
      if (span !== undefined) endServerSpan(span, status);
      if (error !== undefined) log.error({ ...about, rpc, status, ms, err: error }, 'rpc');
      else if (status !== Status.OK || ms >= SLOW_CALL_MS) lines.info({ ...about, rpc, status, ms }, 'rpc');
      else lines.debug({ ...about, rpc, status, ms }, 'rpc');
    },
  };
}
