import { databaseFault } from '../db/errors.ts';
import { cancelled, deadlineExceeded, Fault, internal, Status } from '../fault.ts';
import { type Logger, lineMembers, lineWriter } from '../log.ts';
import type { Call, ServerCall } from './call.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
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

/** One method on bytes, whatever brought them. */
export interface ServedMethod {
  readonly path: string;
  /** What a line of the log says of it. */
  readonly logged: string;
  run(request: Uint8Array, call: Call): Uint8Array | Promise<Uint8Array>;
}

/** What goes back: the response's bytes, or a status other than 0 with an encoded google.rpc.Status. */
export interface Outcome {
  readonly status: Status;
  readonly response: Uint8Array;
  readonly details: Uint8Array;
  readonly message: string;
}

const EMPTY = new Uint8Array();

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
      return serveMethod(methodPath(service, method), method, handler);
    }),
  };
}

function serveMethod(
  path: string,
  { requestType, responseType }: MethodDefinition,
  handler: Handler<unknown, unknown>,
): ServedMethod {
  return {
    path,
    logged: lineMembers({ rpc: path }),
    run: (bytes, call) => {
      const response = handler(decode(requestType, bytes), call);
      if (!(response instanceof Promise)) return encodeMessage(responseType, response);
      return response.then((value) => encodeMessage(responseType, value));
    },
  };
}

function decode(type: MethodDefinition['requestType'], bytes: Uint8Array): unknown {
  try {
    return decodeMessage(type, bytes);
  } catch (cause) {
    throw new Fault({
      status: Status.INVALID_ARGUMENT,
      reason: 'BAD_REQUEST',
      message: 'The request message cannot be decoded.',
      cause,
    });
  }
}

/**
 * Runs one call to its outcome and writes its log line; never throws. What a handler answers at once is
 * there at once: a promise a call costs more than most of what such a handler does.
 */
export function dispatch(
  method: ServedMethod,
  request: Uint8Array,
  call: ServerCall,
  write: CallLog,
): Outcome | Promise<Outcome> {
  const startedAt = performance.now();

  function succeed(response: Uint8Array): Outcome {
    write(method, call, Status.OK, performance.now() - startedAt, undefined);
    return { status: Status.OK, response, details: EMPTY, message: '' };
  }

  function fail(thrown: unknown): Outcome {
    const fault = toFault(thrown, call);
    const unauthored = fault.status === Status.INTERNAL || fault.status === Status.UNAVAILABLE;
    const outcome = failure(fault);
    const error = unauthored ? (fault.cause ?? fault) : undefined;
    write(method, call, outcome.status, performance.now() - startedAt, error);
    return outcome;
  }

  try {
    if (call.deadline <= Date.now()) throw deadlineExceeded();
    const response = method.run(request, call);
    return response instanceof Promise ? response.then(succeed, fail) : succeed(response);
  } catch (thrown) {
    return fail(thrown);
  }
}

/** A fault whose members have no JSON form is a mistake like any other. */
function failure(fault: Fault): Outcome {
  try {
    return {
      status: fault.status,
      response: EMPTY,
      details: encodeFault(fault),
      message: fault.message,
    };
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

/** Makes what writes the one line an RPC; `error` is given where nobody authored what went wrong. */
export function callLog(log: Logger): CallLog {
  const write = lineWriter(log, 'rpc');
  return ({ path, logged }, { requestId }, status, ms, error) => {
    if (error === undefined) write(requestId, logged, status, ms);
    else log.error({ request_id: requestId, rpc: path, status, ms, err: error }, 'rpc');
  };
}
