import { Caller } from '@gatehouse/proto/kit/calls';
import type { Logger } from '../log.ts';
import { decodeMessage } from './codec.ts';

/** What a handler knows of the call besides its request. */
export interface Call {
  /** On whose behalf the call is made. */
  readonly caller: Caller;
  readonly requestId: string;
  /** When the caller gives up, in milliseconds since the Unix epoch. */
  readonly deadline: number;
  /** Aborts when the caller has gone or given up. */
  readonly signal: AbortSignal;
  /** Logs with the request's ID. */
  readonly log: Logger;
}

/** The caller of a call that nobody in particular makes. */
export const nobody: Caller = Caller.decode(new Uint8Array());

/** The caller that a peer names; nobody where it names none that can be read. */
export function decodeCaller(bytes: Uint8Array): Caller {
  if (bytes.length === 0) return nobody;
  try {
    return decodeMessage(Caller, bytes);
  } catch {
    return nobody;
  }
}

/** A call as the serving side keeps it; signal and logger are made when first asked for. */
export class ServerCall implements Call {
  readonly caller: Caller;
  readonly requestId: string;
  readonly deadline: number;
  aborted = false;
  #log: Logger;
  #child: Logger | undefined;
  #controller: AbortController | undefined;

  constructor(caller: Caller, requestId: string, deadline: number, log: Logger) {
    this.caller = caller;
    this.requestId = requestId;
    this.deadline = deadline;
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
