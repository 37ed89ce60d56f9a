import { Caller } from '@gatehouse/proto/kit/calls';
import type { Logger } from '../log.ts';
import { isSnowflake } from '../snowflake.ts';
import type { Span } from '../trace/span.ts';
import { decodeMessage } from './messages/codec.ts';

/** The context of a call, for its handler. */
export interface Call {
  /** The caller on whose behalf the call is made. */
  readonly caller: Caller;
  readonly requestId: string;
  /**
   * The deadline, by performance.now(), which is not affected by changes of the system clock. Infinity: none, which
   * only streams may have.
   */
  readonly due_ms: number;
  /** Aborts when the caller cancels the call or is lost; for a stream, also when the server stops. */
  readonly signal: AbortSignal;
  /** Adds the request ID to each line, and the trace ID if the call is traced. */
  readonly log: Logger;
  /** Runs `action` once the answer or the error is sent, or nobody waits for it any more. */
  whenSent(action: () => void): void;
}

/** The caller of a call that is made on nobody's behalf. */
export const anonymous: Caller = Caller.decode(new Uint8Array());

/** Decodes the caller that a peer sends. Returns `anonymous` for bytes that are not a valid Caller. */
export function decodeCaller(bytes: Uint8Array, from = 0, to = bytes.length): Caller {
  if (from === to) return anonymous;
  try {
    const caller = decodeMessage(Caller, bytes, from, to);
    return validCaller(caller);
  } catch {
    return anonymous;
  }
}

/** Returns the caller that a peer sends, or `anonymous` if it is invalid. */
export function validCaller(caller: Caller): Caller {
  return isValid(caller) ? caller : anonymous;
}

/** Handlers pass IDs and text to the database unchecked, which refuses IDs out of range and text with NUL. */
function isValid({ account_id, credential_id, application_id, ip, user_agent }: Caller): boolean {
  return (
    isIdOrNone(account_id) &&
    isIdOrNone(credential_id) &&
    isIdOrNone(application_id) &&
    !ip.includes('\0') &&
    !user_agent.includes('\0')
  );
}

function isIdOrNone(text: string): boolean {
  return text === '' || isSnowflake(text);
}

/** A call on the server. Most handlers need neither signal nor logger: both are created when first used. */
export class ServerCall implements Call {
  /** Its ID on the call stream; 0 for a unary RPC. */
  readonly id: number;
  readonly caller: Caller;
  readonly requestId: string;
  readonly due_ms: number;
  /** The caller's span; empty if the call is not traced. */
  readonly traceparent: string;
  /** The span of this call, if it is traced. */
  span: Span | undefined;
  aborted = false;
  #log: Logger;
  #child: Logger | undefined;
  #controller: AbortController | undefined;
  #whenSent: (() => void)[] | undefined;

  constructor(id: number, caller: Caller, requestId: string, due_ms: number, log: Logger, traceparent = '') {
    this.id = id;
    this.caller = caller;
    this.requestId = requestId;
    this.due_ms = due_ms;
    this.#log = log;
    this.traceparent = traceparent;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get log(): Logger {
    this.#child ??= this.#log.child({
      request_id: this.requestId,
      ...(this.span && { trace_id: this.span.traceId }),
    });
    return this.#child;
  }

  whenSent(action: () => void): void {
    this.#whenSent ??= [];
    this.#whenSent.push(action);
  }

  /** Runs the actions of `whenSent`. Called by the sender of the answer. */
  answerSent(): void {
    const actions = this.#whenSent;
    this.#whenSent = undefined;
    for (const action of actions ?? []) action();
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }
}
