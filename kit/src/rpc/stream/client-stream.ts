import { cancelled, deadlineExceeded, internal, Status } from '../../fault.ts';
import { Deadlines } from '../deadlines.ts';
import { MAX_MESSAGE_BYTES, MAX_OPEN_CALLS, PART_BYTES } from '../limits.ts';
import { decodeMessage } from '../messages/codec.ts';
import { decodeFault } from '../messages/fault-wire.ts';
import { type OutgoingCall, tooManyCalls } from '../outgoing-call.ts';
import { Unreachable } from '../unreachable.ts';
import { CallFrameWriter } from './call-frame-writer.ts';
import { decodeAnswerFrame, type ReadAnswer } from './frame-reader.ts';
import type { MessageStream, StreamEvents } from './message-stream.ts';
import { OpenCalls } from './open-calls.ts';

export interface ClientStreamOptions {
  open(events: StreamEvents): MessageStream;
  /** Makes a call whose request is too long for a frame. */
  callUnary(call: OutgoingCall): void;
  /** Called when the server asks for no further calls. */
  onDraining?(): void;
  /** Called once, when the stream has ended or is lost. */
  onEnd(): void;
}

const MAX_PARTS = MAX_MESSAGE_BYTES / PART_BYTES;

/** The client's side of a call stream: sends calls in frames, and settles each when its answer arrives (./README.md). */
export class ClientStream {
  readonly #options: ClientStreamOptions;
  readonly #stream: MessageStream;
  readonly #pending = new OpenCalls<OutgoingCall>();
  /** For each call with an AbortSignal, the function that removes its listener. */
  readonly #unlisten = new Map<number, () => void>();
  /** The parts of each long answer, until the last one arrives. */
  readonly #parts = new Map<number, Uint8Array[]>();
  readonly #deadlines = new Deadlines((now_ms) => this.#failOverdue(now_ms));
  readonly #frame = new CallFrameWriter();
  #unsentIds: number[] = [];
  /** IDs of sent calls that were cancelled. The next frame carries them. */
  #cancelledIds: number[] = [];
  #lastId = 0;
  #lastSentId = 0;
  #scheduled = false;
  #blocked = false;
  #usable = true;
  #lost = false;

  /** @throws Unreachable */
  constructor(options: ClientStreamOptions) {
    this.#options = options;
    this.#stream = options.open({
      message: (bytes) => this.#receive(bytes),
      drained: () => this.#drained(),
      lost: (cause) => this.#lose(cause),
    });
  }

  /** Number of calls without an answer. */
  get inFlight(): number {
    return this.#pending.size;
  }

  /** Whether the stream takes further calls: false once the server drains, or the stream is retired or lost. */
  get usable(): boolean {
    return this.#usable;
  }

  call(outgoing: OutgoingCall): void {
    if (this.#pending.size >= MAX_OPEN_CALLS) {
      outgoing.fail(tooManyCalls());
      return;
    }
    const id = ++this.#lastId; // the stream is renewed long before 2 ** 32 calls
    this.#pending.set(id, outgoing);
    if (outgoing.signal !== undefined) this.#listen(outgoing.signal, id);
    this.#deadlines.watch(outgoing.due_ms);
    this.#unsentIds.push(id);
    this.#schedule();
  }

  /** Refuses further calls, and ends the stream when the open ones are answered. */
  retire(): void {
    this.#usable = false;
    this.#endIfDone();
  }

  #listen(signal: AbortSignal, id: number): void {
    const abort = (): void => this.#giveUp(id, cancelled());
    signal.addEventListener('abort', abort);
    this.#unlisten.set(id, () => signal.removeEventListener('abort', abort));
  }

  #take(id: number): OutgoingCall | undefined {
    const call = this.#pending.take(id);
    if (call === undefined) return undefined;
    if (call.signal !== undefined) {
      this.#unlisten.get(id)?.();
      this.#unlisten.delete(id);
    }
    if (this.#parts.size > 0) this.#parts.delete(id);
    return call;
  }

  #receive(bytes: Buffer): void {
    try {
      const { answers, draining } = decodeAnswerFrame(bytes);
      for (const answer of answers) this.#settle(bytes, answer);
      if (draining) {
        this.#usable = false;
        this.#options.onDraining?.();
      }
      this.#endIfDone();
    } catch (error) {
      this.#lose(error);
    }
  }

  #settle(bytes: Buffer, { id, status, response, details, more }: ReadAnswer): void {
    const { from, to } = response;
    if (more) {
      this.#keepPart(id, bytes.subarray(from, to));
      return;
    }
    const earlier = this.#parts.get(id);
    const call = this.#take(id);
    if (call === undefined) return; // cancelled before the answer arrived
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

  #keepPart(id: number, part: Uint8Array): void {
    if (this.#pending.get(id) === undefined) return;
    const kept = this.#parts.get(id) ?? [];
    this.#parts.set(id, kept);
    kept.push(part);
    if (kept.length > MAX_PARTS) this.#giveUp(id, internal(new Error('the answer is too long')));
  }

  #failOverdue(now_ms: number): number {
    let earliest_ms = Number.POSITIVE_INFINITY;
    for (const [id, { due_ms }] of this.#pending.all()) {
      if (due_ms <= now_ms) this.#giveUp(id, deadlineExceeded());
      else earliest_ms = Math.min(earliest_ms, due_ms);
    }
    return earliest_ms;
  }

  #giveUp(id: number, reason: Error): void {
    const call = this.#take(id);
    if (call === undefined) return;
    call.fail(reason);
    if (id <= this.#lastSentId) this.#cancelledIds.push(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#blocked) return; // #drained calls it again
    while (!this.#blocked && !this.#lost && (this.#unsentIds.length > 0 || this.#cancelledIds.length > 0)) {
      this.#fillFrame();
      this.#blocked = !this.#stream.write(this.#frame.finish(this.#cancelledIds));
      this.#cancelledIds = [];
    }
    this.#endIfDone();
  };

  /** Adds unsent calls to the frame, except those cancelled meanwhile. */
  #fillFrame(): void {
    const ids = this.#unsentIds;
    let count = 0;
    for (; count < ids.length && !this.#frame.isFull(); count++) {
      const id = ids[count] as number;
      const call = this.#pending.get(id);
      if (call !== undefined) this.#addToFrame(id, call);
      this.#lastSentId = id;
    }
    this.#unsentIds = count === ids.length ? [] : ids.slice(count);
  }

  #addToFrame(id: number, call: OutgoingCall): void {
    try {
      if (this.#frame.add(id, call)) return;
      this.#take(id);
      this.#options.callUnary(call);
    } catch (error) {
      this.#take(id)?.fail(internal(error));
    }
  }

  #drained(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#flush();
  }

  #lose(cause: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#usable = false;
    this.#stream.cancel(); // does nothing if it has ended
    const reason = cause instanceof Unreachable ? cause : new Unreachable(cause);
    const unsent = reason.sent ? new Unreachable(reason.cause, false) : reason;
    for (const [id] of this.#pending.all()) this.#take(id)?.fail(id > this.#lastSentId ? unsent : reason);
    this.#options.onEnd();
  }

  /** Ends a stream that takes no further calls once all are answered and all cancellations are sent. */
  #endIfDone(): void {
    if (this.#usable || this.#lost || this.#blocked) return;
    if (this.#pending.size === 0 && this.#unsentIds.length === 0 && this.#cancelledIds.length === 0)
      this.#stream.end();
  }
}
