import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Status } from '../../fault.ts';
import type { Logger } from '../../log.ts';
import type { Access } from '../access.ts';
import { anonymous, decodeCaller, ServerCall } from '../call.ts';
import { type CallWatch, dispatch, type Failure, type Replies, type ServedMethod } from '../dispatch.ts';
import { MAX_OPEN_CALLS, MAX_WAITING_ANSWERS } from '../limits.ts';
import { AnswerFrameWriter } from './answer-frame-writer.ts';
import { decodeCallFrame, type ReadCall } from './frame-reader.ts';
import { OpenCalls } from './open-calls.ts';

const NO_DETAILS = new Uint8Array();

export interface ServerStreamOptions {
  readonly stream: ServerDuplexStream<Uint8Array, Uint8Array>;
  /** The methods that the peer may call. */
  readonly access: Access;
  readonly log: Logger;
  readonly watch: CallWatch;
}

/** The server's side of a call stream: answers its calls until it ends (./README.md). */
export class ServerStream implements Replies {
  readonly #stream: ServerDuplexStream<Uint8Array, Uint8Array>;
  readonly #access: Access;
  readonly #log: Logger;
  readonly #watch: CallWatch;
  /** Calls whose handlers run. A cancelled call stays until its handler ends. */
  readonly #open = new OpenCalls<ServerCall>();
  readonly #answers = new AnswerFrameWriter();
  #scheduled = false;
  #blocked = false;
  /** Whether a part of a long answer is being written. */
  #partInFlight = false;
  #ended = false;

  constructor({ stream, access, log, watch }: ServerStreamOptions) {
    this.#stream = stream;
    this.#access = access;
    this.#log = log;
    this.#watch = watch;
    stream.on('data', (bytes: Uint8Array) => this.#receive(bytes));
    stream.on('end', () => {
      this.#ended = true;
      this.#endIfDone();
    });
    for (const event of ['cancelled', 'error', 'close']) stream.on(event, () => this.#abortAll());
  }

  /** Asks the client for no further calls. The client ends the stream when all are answered. */
  drain(): void {
    const frame = this.#answers.drain();
    if (this.#isWritable()) this.#stream.write(frame);
  }

  succeed(call: ServerCall, { responseType }: ServedMethod, response: unknown): void {
    if (call.aborted) call.answerSent();
    else this.#answers.succeed(call, responseType, response);
    this.#settle(call);
  }

  fail(call: ServerCall, { status, details }: Failure): void {
    if (!call.aborted) this.#answers.fail(call.id, status, details);
    call.answerSent();
    this.#settle(call);
  }

  /** The decoder checks MAX_FRAME_BYTES, because grpc-js has one limit for all messages of a server. */
  #receive(bytes: Uint8Array): void {
    if (this.#stream.writableEnded) return; // the stream was refused
    try {
      const { calls, cancelled } = decodeCallFrame(bytes);
      let path = '';
      for (const call of calls) {
        if (call.method !== '') path = call.method;
        this.#begin(bytes, call, path);
      }
      for (const id of cancelled) this.#cancel(id);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #begin(frame: Uint8Array, read: ReadCall, path: string): void {
    const { id, request, timeout_ms, caller: callerBytes, request_id, traceparent } = read;
    const access = this.#access;
    const method = access.methods.get(path);
    if (this.#open.get(id) !== undefined) {
      this.#refuse(new Error(`two open calls have the ID ${id}`));
      return;
    }
    if (method === undefined || this.#open.size >= MAX_OPEN_CALLS) {
      const status = method === undefined ? access.refuse(path) : Status.RESOURCE_EXHAUSTED;
      this.#answers.fail(id, status, NO_DETAILS);
      this.#answered();
      return;
    }
    const caller = method.acceptsCaller ? decodeCaller(frame, callerBytes.from, callerBytes.to) : anonymous;
    const due_ms = performance.now() + timeout_ms;
    const call = new ServerCall(id, caller, request_id, due_ms, this.#log, traceparent);
    const { from, to } = request;
    const running = dispatch(method, { bytes: frame, from, to }, call, this, this.#watch);
    if (running !== undefined) this.#open.set(id, call);
  }

  #settle({ id, aborted }: ServerCall): void {
    this.#open.take(id);
    if (aborted) this.#endIfDone();
    else this.#answered();
  }

  #cancel(id: number): void {
    this.#open.get(id)?.abort();
    this.#answers.drop(id);
  }

  #answered(): void {
    if (this.#answers.size() >= MAX_WAITING_ANSWERS) this.#stream.pause(); // the client does not read its answers
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const stream = this.#stream;
    const answers = this.#answers;
    this.#scheduled = false;
    if (this.#blocked) return; // #unblock calls it again
    while (!this.#blocked && this.#isWritable()) {
      const frame = answers.nextFrame();
      if (frame === undefined) break;
      this.#blocked = !stream.write(frame);
    }
    if (!this.#blocked && !this.#partInFlight && this.#isWritable()) this.#sendPart();
    if (this.#blocked) stream.once('drain', this.#unblock);
    if (stream.isPaused() && answers.size() < MAX_WAITING_ANSWERS) stream.resume();
    this.#endIfDone();
  };

  /** Sends one part at a time, so that other answers wait for at most one part of a long answer. */
  #sendPart(): void {
    const part = this.#answers.nextPart();
    if (part === undefined) return;
    this.#partInFlight = true;
    this.#blocked = !this.#stream.write(part, () => {
      this.#partInFlight = false;
      this.#schedule();
    });
  }

  readonly #unblock = (): void => {
    this.#blocked = false;
    this.#flush();
  };

  #isWritable(): boolean {
    return !this.#stream.destroyed && !this.#stream.writableEnded;
  }

  #endIfDone(): void {
    if (this.#ended && this.#open.size === 0 && this.#answers.size() === 0) this.#stream.end();
  }

  /** Ends the stream of a client that breaks the protocol. */
  #refuse(error: unknown): void {
    this.#log.warn({ err: error }, 'a call stream breaks the protocol and is ended');
    this.#stream.emit('error', { code: Status.INVALID_ARGUMENT, message: 'not the frames of a call stream' });
  }

  #abortAll(): void {
    for (const [, call] of this.#open.all()) call.abort();
    this.#answers.dropAll();
  }
}
