import { cancelled, deadlineExceeded, internal, Status } from '../../fault.ts';
import { deadlines } from '../deadlines.ts';
import { MAX_MESSAGE_BYTES, MAX_OPEN_CALLS, PART_BYTES } from '../limits.ts';
import { decodeMessage } from '../messages/codec.ts';
import { decodeFault } from '../messages/fault-wire.ts';
import { type OutgoingCall, tooManyCalls } from '../outgoing-call.ts';
import { Unreachable } from '../unreachable.ts';
import { callFrameWriter } from './call-frame-writer.ts';
import { decodeAnswerFrame, type ReadAnswer } from './frame-reader.ts';
import type { MessageStream, StreamEvents } from './message-stream.ts';
import { openCalls } from './open-calls.ts';

/** The client's side of one call stream. */
export interface CallStream {
  call(call: OutgoingCall): void;
  /** How many calls have no answer yet. */
  inFlight(): number;
  /** Whether it takes further calls: not once the server drains, or the stream is retired or lost. */
  usable(): boolean;
  /** Refuses further calls, and ends when the open ones are answered. */
  retire(): void;
}

export interface CallStreamOptions {
  open(events: StreamEvents): MessageStream;
  /** Makes a call whose request is too long for a frame. */
  tooLong(call: OutgoingCall): void;
  /** Called when the server wants no further calls. */
  onDraining?(): void;
  /** Called once, when the stream has ended or is lost. */
  onEnd(): void;
}

const MAX_PARTS = MAX_MESSAGE_BYTES / PART_BYTES;

/** Sends calls in frames, and settles each when its answer comes. ./README.md has the protocol. */
export function callStream({ open, tooLong, onDraining, onEnd }: CallStreamOptions): CallStream {
  const pending = openCalls<OutgoingCall>();
  const listeners = new Map<number, () => void>();
  const parts = new Map<number, Uint8Array[]>();
  const overdue = deadlines(giveUpDue);
  const frame = callFrameWriter();
  /** IDs of calls that are not sent yet. */
  let waiting: number[] = [];
  /** IDs of calls that were sent, and cancelled since. */
  let cancelledIds: number[] = [];
  let lastId = 0;
  let lastSentId = 0;
  let scheduled = false;
  let blocked = false;
  let usable = true;
  let lost = false;

  const stream = open({ message: receive, drained, lost: lose });

  function receive(bytes: Buffer): void {
    try {
      const { answers, draining } = decodeAnswerFrame(bytes);
      for (const answer of answers) settle(bytes, answer);
      if (draining) {
        usable = false;
        onDraining?.();
      }
      endIfDone();
    } catch (error) {
      lose(error);
    }
  }

  function call(outgoing: OutgoingCall): void {
    if (pending.size() >= MAX_OPEN_CALLS) {
      outgoing.fail(tooManyCalls());
      return;
    }
    const id = ++lastId; // the stream is renewed long before 2 ** 32 calls
    pending.set(id, outgoing);
    if (outgoing.signal !== undefined) listen(outgoing.signal, id);
    overdue.watch(outgoing.due_ms);
    waiting.push(id);
    schedule();
  }

  function listen(signal: AbortSignal, id: number): void {
    const abort = (): void => giveUp(id, cancelled());
    signal.addEventListener('abort', abort);
    listeners.set(id, () => signal.removeEventListener('abort', abort));
  }

  function take(id: number): OutgoingCall | undefined {
    const call = pending.take(id);
    if (call === undefined) return undefined;
    if (call.signal !== undefined) {
      listeners.get(id)?.();
      listeners.delete(id);
    }
    if (parts.size > 0) parts.delete(id);
    return call;
  }

  function settle(bytes: Buffer, { id, status, response, details, more }: ReadAnswer): void {
    const { from, to } = response;
    if (more) {
      keepPart(id, bytes.subarray(from, to));
      return;
    }
    const earlier = parts.get(id);
    const call = take(id);
    if (call === undefined) return; // cancelled before the answer came
    if (status !== Status.OK) {
      call.fail(decodeFault(status, bytes.subarray(details.from, details.to)));
      return;
    }
    let decoded: unknown;
    try {
      const { responseType } = call.method;
      decoded =
        earlier === undefined
          ? decodeMessage(responseType, bytes, from, to)
          : decodeMessage(responseType, Buffer.concat([...earlier, bytes.subarray(from, to)]));
    } catch (error) {
      call.fail(internal(error));
      return;
    }
    call.succeed(decoded);
  }

  function keepPart(id: number, part: Uint8Array): void {
    if (pending.get(id) === undefined) return;
    const kept = parts.get(id) ?? [];
    parts.set(id, kept);
    kept.push(part);
    if (kept.length > MAX_PARTS) giveUp(id, internal(new Error('the answer is too long')));
  }

  function giveUpDue(now_ms: number): number {
    let earliest_ms = Number.POSITIVE_INFINITY;
    for (const [id, { due_ms }] of pending.all()) {
      if (due_ms <= now_ms) giveUp(id, deadlineExceeded());
      else earliest_ms = Math.min(earliest_ms, due_ms);
    }
    return earliest_ms;
  }

  function giveUp(id: number, reason: Error): void {
    const call = take(id);
    if (call === undefined) return;
    call.fail(reason);
    if (id <= lastSentId) cancelledIds.push(id);
    schedule();
  }

  function schedule(): void {
    if (scheduled || blocked) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (blocked) return; // `drained` flushes
    while (!blocked && !lost && (waiting.length > 0 || cancelledIds.length > 0)) {
      fill();
      blocked = !stream.write(frame.finish(cancelledIds));
      cancelledIds = [];
    }
    endIfDone();
  }

  /** Writes waiting calls into the frame. Those that were cancelled meanwhile are left out. */
  function fill(): void {
    let count = 0;
    for (; count < waiting.length && !frame.isFull(); count++) {
      const id = waiting[count] as number;
      const call = pending.get(id);
      if (call !== undefined) add(id, call);
      lastSentId = id;
    }
    waiting = count === waiting.length ? [] : waiting.slice(count);
  }

  function add(id: number, call: OutgoingCall): void {
    try {
      if (frame.add(id, call)) return;
      take(id);
      tooLong(call);
    } catch (error) {
      take(id)?.fail(internal(error));
    }
  }

  function drained(): void {
    if (!blocked) return;
    blocked = false;
    flush();
  }

  function lose(cause: unknown): void {
    if (lost) return;
    lost = true;
    usable = false;
    stream.cancel(); // does nothing if it has ended
    const reason = cause instanceof Unreachable ? cause : new Unreachable(cause);
    const unsent = reason.sent ? new Unreachable(reason.cause, false) : reason;
    for (const [id] of pending.all()) take(id)?.fail(id > lastSentId ? unsent : reason);
    onEnd();
  }

  /** Ends the stream once the last cancellation is sent, too. */
  function endIfDone(): void {
    if (usable || lost || blocked) return;
    if (pending.size() === 0 && waiting.length === 0 && cancelledIds.length === 0) stream.end();
  }

  return {
    call,
    inFlight: pending.size,
    usable: () => usable,
    retire: () => {
      usable = false;
      endIfDone();
    },
  };
}
