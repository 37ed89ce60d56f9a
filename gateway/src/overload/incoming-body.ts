import type { IncomingMessage } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { clientGone, payloadTooLarge, tinyChunks } from '../http/http-error.ts';
import { SHORT_BODY_BYTES, type WatchedBody } from './body-budgets.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { Overload } from './overload.ts';

const NOTHING = Buffer.alloc(0);
/** Above this number, chunks must have `MIN_CHUNK_BYTES` on average: a chunk costs CPU time whatever its length. */
const UNCHECKED_CHUNKS = 8 * 1024;
const MIN_CHUNK_BYTES = 64;

const noCheck = async (): Promise<void> => undefined;

/**
 * A request's body, which the client sends as it is read. It is kept in one buffer, whose capacity counts against a
 * memory budget. Up to 64 KiB the buffer grows. For a longer body the whole capacity is reserved first; until it is,
 * nothing more is read from the client.
 */
export class IncomingBody implements WatchedBody {
  /** The client's. */
  readonly ipGroup: string;
  readonly #request: IncomingMessage;
  readonly #overload: Overload;
  readonly #buffer = new BodyBuffer();
  #chunks = 0;
  #lastByteAt_ms: number | undefined;
  #isComplete = true;
  #limitBytes = 0;
  /** The declared length, or the limit of a chunked body. */
  #maxBytes = 0;
  #beforeLong = noCheck;
  #resolve: (body: Buffer) => void = () => undefined;
  #reject: (reason: Error) => void = () => undefined;

  constructor(request: IncomingMessage, ipGroup: string, overload: Overload) {
    this.ipGroup = ipGroup;
    this.#request = request;
    this.#overload = overload;
  }

  arrivedBytes(): number {
    return this.#buffer.length;
  }

  isComplete(): boolean {
    return this.#isComplete;
  }

  lastByteAt_ms(): number | undefined {
    return this.#lastByteAt_ms;
  }

  /**
   * Reads all of it. `beforeLong` runs before more than 64 KiB are read; its error refuses the body.
   *
   * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, REQUEST_TIMEOUT, BAD_REQUEST
   */
  read(limitBytes: number, beforeLong = noCheck): Promise<Buffer> {
    const declared = declaredLength(this.#request);
    if (declared === 0) return Promise.resolve(NOTHING);
    if (declared !== undefined && declared > limitBytes) return Promise.reject(payloadTooLarge(limitBytes));
    // A request that is destroyed already emits no further event.
    if (this.#request.destroyed && !this.#request.readableEnded) return Promise.reject(clientGone());
    this.#isComplete = false;
    this.#lastByteAt_ms = performance.now();
    this.#limitBytes = limitBytes;
    this.#maxBytes = declared ?? limitBytes;
    this.#beforeLong = beforeLong;
    if (!this.#request.complete) this.#overload.bodies.watch(this); // one that has arrived cannot stall
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#listen();
    });
  }

  /** Refuses the body while it is incomplete, and frees its memory at once: others may wait for it. */
  evict(reason: Error): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    if (this.#buffer.capacity > SHORT_BODY_BYTES) this.#buffer.free();
    else this.#buffer.drop();
    this.#overload.bodies.release(this);
    this.#request.pause(); // nothing more is parsed until the answer is sent
    this.#reject(reason);
  }

  /** Frees its memory. To be called once the request is answered. */
  release(): void {
    this.#isComplete = true;
    this.#buffer.drop();
    this.#overload.bodies.release(this);
  }

  #listen(): void {
    const request = this.#request;
    request.on('data', (chunk: Buffer) => this.#arrived(chunk));
    request.on('end', () => this.#ended());
    // Every request emits close. An error for a complete body would reach nobody, and its stack trace is expensive.
    const gone = (): void => {
      if (!this.#isComplete) this.evict(clientGone());
    };
    request.on('close', gone);
    request.on('error', gone);
  }

  #arrived(chunk: Buffer): void {
    if (this.#isComplete) return;
    this.#chunks++;
    this.#lastByteAt_ms = performance.now();
    const reason = this.#refusal(this.#buffer.length + chunk.length);
    if (reason === undefined) this.#take(chunk);
    else this.evict(reason);
  }

  #ended(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#resolve(this.#buffer.bytes());
  }

  #refusal(total: number): Error | undefined {
    if (total > this.#limitBytes) return payloadTooLarge(this.#limitBytes);
    if (this.#chunks <= UNCHECKED_CHUNKS || total >= this.#chunks * MIN_CHUNK_BYTES) return undefined;
    this.#overload.refusals.count('tiny_chunks');
    return tinyChunks();
  }

  #take(chunk: Buffer): void {
    const total = this.#buffer.length + chunk.length;
    if (total <= this.#buffer.capacity) this.#buffer.append(chunk);
    else if (total > SHORT_BODY_BYTES) void this.#takeLong(chunk);
    else if (this.#buffer.isWholeShortBody(chunk, this.#maxBytes)) this.#buffer.keepWhole(chunk);
    else this.#grow(chunk);
  }

  #grow(chunk: Buffer): void {
    const capacity = this.#buffer.grownCapacity(chunk, Math.min(this.#maxBytes, SHORT_BODY_BYTES));
    const { bodies, refusals } = this.#overload;
    if (!bodies.short.reserve(this, capacity - this.#buffer.capacity)) {
      refusals.count('short_bodies');
      this.evict(unavailable(new Error('the memory budget of short bodies is used up')));
      return;
    }
    this.#buffer.resize(capacity);
    this.#buffer.append(chunk);
  }

  async #takeLong(chunk: Buffer): Promise<void> {
    const { bodies } = this.#overload;
    this.#request.pause();
    this.#lastByteAt_ms = undefined;
    try {
      await this.#beforeLong();
      if (this.#overload.shedsExpensive()) throw unavailable(new Error('the heap is nearly full'));
      if (!this.#isComplete) await bodies.long.reserve(this, this.#maxBytes);
    } catch (reason) {
      this.evict(reason as Error);
      return;
    }
    if (this.#isComplete) {
      bodies.release(this); // it was refused in the meantime
      return;
    }
    bodies.short.release(this);
    this.#buffer.resize(this.#maxBytes);
    this.#buffer.append(chunk);
    this.#lastByteAt_ms = performance.now();
    this.#request.resume();
  }
}

/** Undefined for a chunked body. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}
