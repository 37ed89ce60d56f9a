import { databaseFault } from '../db/errors.ts';
import { cancelled, deadlineExceeded, Fault, internal, Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import type { Call, ServerCall } from './call.ts';
import { decodeMessage } from './codec.ts';
import {
  type MethodDefinition,
  methodPath,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
  unaryMethods,
} from './definition.ts';
import { encodeFault } from './fault-wire.ts';

export type Handler<Request, Response> = (request: Request, call: Call) => Response | Promise<Response>;

/** One handler for every method of a service. */
export type Handlers<D extends ServiceDefinition> = {
  readonly [M in keyof D['methods']]: Handler<RequestOf<D['methods'][M]>, ResponseOf<D['methods'][M]>>;
};

/** A service with its handlers, for `serve`. */
export interface Implementation {
  readonly service: ServiceDefinition;
  readonly methods: readonly ServedMethod[];
}

/** One method, whatever brings its calls. */
export interface ServedMethod {
  readonly path: string;
  readonly requestType: MethodDefinition['requestType'];
  readonly responseType: MethodDefinition['responseType'];
  readonly handler: Handler<unknown, unknown>;
  /** Whether who calls may say on whose behalf. */
  readonly takesCaller: boolean;
}

/** Bytes of a request, wherever they lie. */
export interface RequestBytes {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Where the outcomes of calls go. */
export interface Replies {
  /** @throws for a response that cannot be encoded */
  succeed(call: ServerCall, method: ServedMethod, response: unknown): void;
  fail(call: ServerCall, failure: Failure): void;
}

/** A status other than 0, with an encoded google.rpc.Status. */
export interface Failure {
  readonly status: Status;
  readonly details: Uint8Array;
  readonly message: string;
}

/** Binds handlers to a service; leaving one out does not compile. */
export function implement<const D extends ServiceDefinition>(
  service: D,
  handlers: Handlers<D>,
): Implementation {
  const byName = handlers as Readonly<Record<string, Handler<unknown, unknown>>>;
  return {
    service,
    methods: unaryMethods(service).map(([name, method]) => {
      const handler = byName[name];
      if (handler === undefined) throw new Error(`${service.fullName} has no handler for ${name}`);
      const path = methodPath(service, method);
      const { requestType, responseType } = method;
      return {
        path,
        requestType,
        responseType,
        handler,
        takesCaller: true,
      };
    }),
  };
}

/**
 * Runs one call to its outcome, replies, and writes its log line; never throws. What a handler answers at
 * once is replied at once: a promise a call costs more than most of what such a handler does.
 */
export function dispatch(
  method: ServedMethod,
  request: RequestBytes,
  call: ServerCall,
  replies: Replies,
  write: CallLog,
): Promise<void> | undefined {
  const startedAt = performance.now();

  function succeed(response: unknown): void {
    try {
      replies.succeed(call, method, response);
    } catch (error) {
      fail(error);
      return;
    }
    write(method, call, Status.OK, performance.now() - startedAt, undefined);
  }

  function fail(thrown: unknown): void {
    const fault = toFault(thrown, call);
    const unauthored = fault.status === Status.INTERNAL || fault.status === Status.UNAVAILABLE;
    const outcome = failure(fault);
    replies.fail(call, outcome);
    const error = unauthored ? (fault.cause ?? fault) : undefined;
    write(method, call, outcome.status, performance.now() - startedAt, error);
  }

  let response: unknown;
  try {
    if (call.due_ms <= startedAt) throw deadlineExceeded();
    response = method.handler(decode(method, request), call);
  } catch (thrown) {
    fail(thrown);
    return undefined;
  }
  if (response instanceof Promise) return response.then(succeed, fail);
  succeed(response);
  return undefined;
}

function decode({ requestType }: ServedMethod, { bytes, from, to }: RequestBytes): unknown {
  try {
    return decodeMessage(requestType, bytes, from, to);
  } catch (cause) {
    throw new Fault({
      status: Status.INVALID_ARGUMENT,
      reason: 'BAD_REQUEST',
      message: 'The request message cannot be decoded.',
      cause,
    });
  }
}

/** A fault whose members have no JSON form, or no room, is a mistake like any other. */
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

export type CallLog = (
  method: ServedMethod,
  call: ServerCall,
  status: Status,
  ms: number,
  error: unknown,
) => void;

/** From here on a call is slow: its line is of level info although it succeeded. */
export const SLOW_CALL_MS = 1_000;

/**
 * Makes the function that writes the line of an RPC. What succeeded in good time is of level debug: the edge's line of
 * the request tells of it. A fault and a slow call are of level info; an error that nobody authored, and which then is
 * given, is of level error.
 */
export function callLog(log: Logger): CallLog {
  return ({ path: rpc }, { requestId: request_id }, status, ms, err) => {
    if (err !== undefined) log.error({ request_id, rpc, status, ms, err }, 'rpc');
    else if (status !== Status.OK || ms >= SLOW_CALL_MS) log.info({ request_id, rpc, status, ms }, 'rpc');
    else log.debug({ request_id, rpc, status, ms }, 'rpc');
  };
}
