import { type Answer, CallFrame, type Call as CallMessage } from '@gatehouse/proto/kit/calls';
import { cancelled, deadlineExceeded, type Fault, internal, Status, unavailable } from '../fault.ts';
import { encodePrefixed } from './codec.ts';
import { deadlines } from './deadlines.ts';
import { decodeFault } from './fault-wire.ts';
import { decodeAnswerFrame } from './frames.ts';
import { MAX_MESSAGE_BYTES, MAX_OPEN_CALLS, PART_BYTES } from './limits.ts';
import type { MessageStream, StreamEvents } from './message-stream.ts';
import { atTurnEnd, beginTurn } from './turn.ts';
import { Unreachable } from './unreachable.ts';

export interface OutgoingCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
  /** When its caller gives up, by performance.now(). */
  readonly due_ms: number;
  readonly caller: Uint8Array;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** The calling side of one call stream. */
export interface CallStream {
  call(call: OutgoingCall): Promise<Uint8Array>;
  /** Calls without an answer yet. */
  inFlight(): number;
  /** Whether it still takes calls: false once the server drains or the stream is lost. */
  usable(): boolean;
  /** Takes no further calls and ends when all are answered. */
  retire(): void;
}

const MAX_PARTS = MAX_MESSAGE_BYTES / PART_BYTES;

interface Pending {
  readonly resolve: (response: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  /** When its caller gives up, by performance.now(). */
  readonly due_ms: number;
  readonly forget: (() => void) | undefined;
  parts: Uint8Array[] | undefined;
}

/**
 * Sends calls over the stream that `open` opens, those of a tick in one frame, and settles them as answers
 * come. `onEnd` is called once, when the stream has ended or is lost.
 */
export function callStream(open: (events: StreamEvents) => MessageStream, onEnd: () => void): CallStream {
  const pending = new Map<number, Pending>();
  const overdue = deadlines(giveUpDue);
  let waiting: CallMessage[] = [];
  let givenUp: number[] = [];
  let lastId = 0;
  let scheduled = false;
  let blocked = false;
  let usable = true;
  let lost = false;

  const stream = open({ message: receive, drained, lost: lose });

  function receive(bytes: Uint8Array): void {
    beginTurn();
    try {
      const { answers, draining } = decodeAnswerFrame(bytes);
      for (const answer of answers) settle(answer);
      if (draining) usable = false;
      endIfDone();
    } catch (error) {
      lose(error);
    }
  }

  function call(outgoing: OutgoingCall): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (pending.size >= MAX_OPEN_CALLS) {
        reject(tooManyCalls());
        return;
      }
      lastId = (lastId + 1) >>> 0;
      const id = lastId;
      const { path, request, timeoutMs, due_ms, caller, requestId, signal } = outgoing;
      pending.set(id, { resolve, reject, due_ms, forget: onAbort(signal, id), parts: undefined });
      overdue.watch(due_ms);
      waiting.push({ id, method: path, request, timeout_ms: timeoutMs, caller, request_id: requestId });
      schedule();
    });
  }

  function onAbort(signal: AbortSignal | undefined, id: number): (() => void) | undefined {
    if (signal === undefined) return undefined;
    const abort = (): void => giveUp(id, cancelled());
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  }

  function take(id: number): Pending | undefined {
    const call = pending.get(id);
    if (call === undefined) return undefined;
    pending.delete(id);
    call.forget?.();
    return call;
  }

  function settle({ id, status, response, details, more }: Answer): void {
    if (more) {
      const call = pending.get(id);
      if (call === undefined) return;
      call.parts ??= [];
      call.parts.push(response);
      if (call.parts.length > MAX_PARTS) giveUp(id, internal(new Error('the answer has no end')));
      return;
    }
    const call = take(id);
    if (call === undefined) return; // given up before the answer came
    if (status !== Status.OK) call.reject(decodeFault(status, details));
    else call.resolve(call.parts === undefined ? response : Buffer.concat([...call.parts, response]));
  }

  function giveUpDue(now_ms: number): number {
    let earliest_ms = Number.POSITIVE_INFINITY;
    for (const [id, { due_ms }] of pending) {
      if (due_ms <= now_ms) giveUp(id, deadlineExceeded());
      else earliest_ms = Math.min(earliest_ms, due_ms);
    }
    return earliest_ms;
  }

  function giveUp(id: number, reason: Error): void {
    const call = take(id);
    if (call === undefined) return;
    call.reject(reason);
    const unsent = waiting.findIndex((message) => message.id === id);
    if (unsent >= 0) waiting.splice(unsent, 1);
    else givenUp.push(id);
    schedule();
  }

  function schedule(): void {
    if (scheduled || blocked) return;
    scheduled = true;
    atTurnEnd(flush);
  }

  function flush(): void {
    scheduled = false;
    if (blocked) return; // filled up since this was scheduled: `drain` is awaited already
    while (!blocked && !lost && (waiting.length > 0 || givenUp.length > 0)) {
      const frame = { calls: nameOnce(takeFrame()), cancelled: givenUp };
      givenUp = [];
      blocked = !stream.write(encodePrefixed(CallFrame, frame));
    }
    endIfDone();
  }

  function drained(): void {
    if (!blocked) return;
    blocked = false;
    flush();
  }

  function takeFrame(): CallMessage[] {
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || bytes < PART_BYTES)) {
      const { request, caller } = waiting[count] as CallMessage;
      bytes += request.length + caller.length;
      count++;
    }
    const frame = count === waiting.length ? waiting : waiting.slice(0, count);
    waiting = count === waiting.length ? [] : waiting.slice(count);
    return frame;
  }

  function lose(cause: unknown): void {
    if (lost) return;
    lost = true;
    usable = false;
    stream.cancel(); // without effect where it has ended
    for (const { id } of waiting) take(id)?.reject(new Unreachable(cause, false));
    waiting = [];
    const reason = cause instanceof Unreachable ? cause : new Unreachable(cause);
    for (const id of [...pending.keys()]) take(id)?.reject(reason);
    onEnd();
  }

  /** Not before the last cancellation has left. */
  function endIfDone(): void {
    if (!usable && !lost && !blocked && pending.size === 0 && givenUp.length === 0) stream.end();
  }

  return {
    call,
    inFlight: () => pending.size,
    usable: () => usable,
    retire: () => {
      usable = false;
      endIfDone();
    },
  };
}

/** A call of the same method as the one before it does not name it again. */
function nameOnce(calls: CallMessage[]): CallMessage[] {
  let previous = '';
  for (const call of calls) {
    const { method } = call;
    if (method === previous) call.method = '';
    previous = method;
  }
  return calls;
}

export function tooManyCalls(): Fault {
  return unavailable(new Error(`${MAX_OPEN_CALLS} calls are open already`));
}
