import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Call } from './call.ts';

export interface CallOptions {
  /** How long the caller waits. A shorter deadline of `parent` takes precedence. */
  readonly timeoutMs: number;
  /** The call being handled. Its caller, request ID and deadline are passed on. */
  readonly parent?: Call;
  readonly caller?: Caller;
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** The encoded request. If given, the message is ignored. */
  readonly encoded?: Uint8Array;
}

/** As CallOptions, but without a deadline by default. */
export interface StreamOptions extends Omit<CallOptions, 'timeoutMs' | 'encoded'> {
  readonly timeoutMs?: number;
}
