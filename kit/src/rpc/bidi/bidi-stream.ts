import type { ServerHttp2Stream } from 'node:http2';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { cancelled, type Fault, kitFault, Status } from '../../fault.ts';
import type { ServerCall } from '../call.ts';
import { type CallWatch, decodeRequest, outcomeOf, type ServedBidi, undecodable } from '../dispatch.ts';
import { PREFIX_BYTES } from '../limits.ts';
import { asBuffer, MessageWriter } from '../messages/codec.ts';
import { MessageSplitter, UnreadableMessage } from '../messages/message-splitter.ts';
import { failureStatus } from '../unary/unary-server.ts';
import type { BidiResponses, BidiSession } from './bidi-handler.ts';
import { takeRawStream } from './raw-stream.ts';

/** Received bytes that may wait to be read. HTTP/2's window allows about as many again. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Without details of our own, so that clients treat this server as lost and try another one. */
const STOPPING = { code: Status.UNAVAILABLE, details: 'the server stops' };

/** All streams write with it, one after the other. */
const writer = new MessageWriter();

export interface BidiStreamOptions {
  readonly grpc: ServerDuplexStream<Uint8Array, Uint8Array>;
  readonly method: ServedBidi;
  readonly call: ServerCall;
  readonly watch: CallWatch;
}

/**
 * The server's side of a stream in both directions. Once in a turn of the event loop it passes the requests that have
 * arrived to the session, and writes the session's responses, so that a message of a busy stream costs little. A client
 * that does not read its responses is not read either.
 */
export class BidiStream implements BidiResponses<unknown> {
  readonly #grpc: ServerDuplexStream<Uint8Array, Uint8Array>;
  readonly #method: ServedBidi;
  readonly #call: ServerCall;
  readonly #watch: CallWatch;
  readonly #startedAt_ms = performance.now();
  readonly #received = new MessageSplitter();
  #raw: ServerHttp2Stream | undefined;
  #session: BidiSession<unknown> | undefined;
  #unsent: unknown[] = [];
  #scheduled = false;
  /** Whether the client does not read its responses. */
  #blocked = false;
  #clientEnded = false;
  /** Why no further requests are read. */
  #finishing: 'client ended' | 'server stops' | undefined;
  /** Whether the session has sent its last response. */
  #answered = false;
  #ended = false;

  constructor({ grpc, method, call, watch }: BidiStreamOptions) {
    this.#grpc = grpc;
    this.#method = method;
    this.#call = call;
    this.#watch = watch;
  }

  /** Begins to serve the stream. Called once. */
  open(): void {
    this.#watch.began(this.#method, this.#call);
    this.#grpc.on('cancelled', () => this.fail(cancelled()));
    try {
      if (this.#call.aborted) throw cancelled();
      this.#raw = takeRawStream(this.#grpc);
      this.#session = this.#method.handler(this, this.#call);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#raw.on('data', (chunk: Buffer) => {
      if (this.#finishing !== undefined || this.#ended) return;
      this.#received.push(chunk);
      if (this.#received.bytes > MAX_UNREAD_BYTES) this.#raw?.pause();
      this.#schedule();
    });
    this.#raw.on('end', () => {
      this.#clientEnded = true;
      this.#schedule();
    });
    this.#raw.resume();
  }

  /** Reads no further requests. Ends the stream with UNAVAILABLE when the session has answered the earlier ones. */
  stop(): void {
    this.#finish('server stops');
  }

  send(response: unknown): void {
    this.#unsent.push(response);
    this.#schedule();
  }

  resume(): void {
    this.#schedule();
  }

  end(): void {
    this.#answered = true;
    this.#schedule();
  }

  fail(thrown: unknown): void {
    if (this.#ended) return;
    const { outcome, error } = outcomeOf(thrown, this.#call);
    this.#ended = true;
    this.#writeRest();
    this.#call.abort();
    this.#grpc.emit('error', failureStatus(outcome)); // does nothing if the client is gone
    this.#log(outcome.status, error);
  }

  #schedule(): void {
    if (this.#scheduled || this.#ended) return;
    this.#scheduled = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#scheduled = false;
    if (this.#ended) return;
    try {
      this.#read();
      this.#write();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#answered) this.#settle(this.#finishing === 'server stops' ? Status.UNAVAILABLE : Status.OK);
  };

  #read(): void {
    const session = this.#session;
    if (session === undefined || this.#finishing !== undefined || this.#blocked) return;
    const requests: unknown[] = [];
    let isAll = false;
    for (let room = session.room(); room > 0 && !isAll; room--) {
      const bytes = this.#next();
      if (bytes === undefined) isAll = true;
      else requests.push(decodeRequest(this.#method, { bytes, from: 0, to: bytes.length }));
    }
    if (requests.length > 0) session.receive(requests);
    if (isAll && this.#clientEnded) {
      if (this.#received.bytes > 0) throw undecodable(new Error('the stream ends within a message'));
      this.#finish('client ended');
    } else if (isAll) this.#raw?.resume();
    else if (session.room() > 0) this.#schedule();
    else this.#raw?.pause();
  }

  /** @throws Fault UNIMPLEMENTED for a compressed message, RESOURCE_EXHAUSTED for one that is too long */
  #next(): Buffer | undefined {
    try {
      return this.#received.next();
    } catch (error) {
      throw error instanceof UnreadableMessage ? unreadable(error) : error;
    }
  }

  /** Writes all responses, even to a client that does not read: there is at most one for each request that was read. */
  #write(): void {
    const raw = this.#raw;
    if (raw === undefined || this.#unsent.length === 0) return;
    const responses = this.#unsent;
    this.#unsent = [];
    if (raw.write(prefixed(this.#method, responses)) || this.#blocked) return;
    this.#blocked = true;
    raw.pause();
    raw.once('drain', () => {
      this.#blocked = false;
      this.#schedule();
    });
  }

  /** Writes the responses before an error, unless they are its cause. */
  #writeRest(): void {
    try {
      if (!this.#call.aborted) this.#write();
    } catch {
      // The error that ends the stream is already known.
    }
  }

  #finish(reason: 'client ended' | 'server stops'): void {
    if (this.#finishing !== undefined || this.#ended) return;
    this.#finishing = reason;
    this.#session?.finish();
  }

  #settle(status: Status): void {
    this.#ended = true;
    if (status === Status.OK) this.#grpc.end();
    else this.#grpc.emit('error', STOPPING);
    this.#log(status, undefined);
  }

  #log(status: Status, error: unknown): void {
    this.#watch.ended(this.#method, this.#call, status, performance.now() - this.#startedAt_ms, error);
  }
}

/** The fault with gRPC's own status, from which clients tell what to change. */
function unreadable(cause: UnreadableMessage): Fault {
  const status = cause.why === 'compressed' ? Status.UNIMPLEMENTED : Status.RESOURCE_EXHAUSTED;
  return kitFault('BAD_REQUEST', { status, message: `A message of this stream is ${cause.why}.`, cause });
}

/** Encodes responses with their prefixes, as one chunk. @throws if one cannot be encoded */
function prefixed({ responseType }: ServedBidi, responses: readonly unknown[]): Uint8Array {
  const lengths: number[] = [];
  try {
    for (const response of responses) {
      const before = writer.length;
      writer.reserve(PREFIX_BYTES);
      writer.write(responseType, response);
      lengths.push(writer.length - before - PREFIX_BYTES);
    }
  } catch (error) {
    writer.rollBack(0);
    throw error;
  }
  const bytes = asBuffer(writer.finish());
  let at = 0;
  for (const length of lengths) {
    bytes[at] = 0;
    bytes.writeUInt32BE(length, at + 1);
    at += PREFIX_BYTES + length;
  }
  return bytes;
}
