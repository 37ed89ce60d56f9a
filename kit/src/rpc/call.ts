import { Caller } from '@gatehouse/proto/kit/calls';
import type { Logger } from '../log.ts';
import { isSnowflake } from '../snowflake.ts';
import { decodeMessage } from './codec.ts';

/** What a handler knows of the call besides its request. */
export interface Call {
  /** On whose behalf the call is made. */
  readonly caller: Caller;
  readonly requestId: string;
  /** When the caller gives up, in milliseconds of performance.now(): the time of day may be set meanwhile. */
  readonly due_ms: number;
  /** Aborts when the caller has gone or given up. */
  readonly signal: AbortSignal;
  /** Logs with the request's ID. */
  readonly log: Logger;
}

/** The caller of a call that nobody in particular makes. */
export const nobody: Caller = Caller.decode(new Uint8Array());

/** The caller that a peer names; nobody where it names none that can be read, or none that can be. */
export function decodeCaller(bytes: Uint8Array, from = 0, to = bytes.length): Caller {
  if (from === to) return nobody;
  try {
    const caller = decodeMessage(Caller, bytes, from, to);
    return canBe(caller) ? caller : nobody;
  } catch {
    return nobody;
  }
}

/** Handlers look its IDs up and keep its text as they are, and a database takes neither if they are none. */
function canBe({ account_id, credential_id, application_id, ip, user_agent }: Caller): boolean {
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

/** A call as the serving side keeps it; signal and logger are made when first asked for. */
export class ServerCall implements Call {
  /** On its call stream. */
  readonly id: number;
  readonly caller: Caller;
  readonly requestId: string;
  readonly due_ms: number;
  aborted = false;
  #log: Logger;
  #child: Logger | undefined;
  #controller: AbortController | undefined;

  constructor(id: number, caller: Caller, requestId: string, due_ms: number, log: Logger) {
    this.id = id;
    this.caller = caller;
    this.requestId = requestId;
    this.due_ms = due_ms;
    this.#log = log;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get log(): Logger {
    this.#child ??= this.#log.child({ request_id: this.requestId });
    return this.#child;
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }
}
