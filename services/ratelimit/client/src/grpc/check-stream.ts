import {
  type CheckRequest,
  type CheckResponse,
  RatelimitServiceDefinition,
} from '@gatehouse/proto/ratelimit';
import type { Client, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { grpcMethod } from './methods.ts';
import { errorOfCall, errorOfStatus, RateLimitError, type StatusName } from './rate-limit-error.ts';

/** Checks of one stream that wait for their answers. Beyond it, a check fails as if ratelimit did not answer. */
const MAX_WAITING = 16_384;
/** ratelimit accepts no longer message, and would end the stream of all callers. */
const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_TAG = 0xffff_ffff;
/** A stream ends when checks have timed out for so long without an answer: its replica may be lost behind a proxy. */
const MAX_SILENCE_MS = 1_000;
/** Codes of a stream that is refused. A lost connection may end it with any other code. */
const REFUSALS: readonly StatusName[] = [
  'INVALID_ARGUMENT',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'UNIMPLEMENTED',
];

const { path, serialize, deserialize } = grpcMethod(RatelimitServiceDefinition.methods.checkStream);

interface Waiting {
  resolve(response: CheckResponse): void;
  reject(error: unknown): void;
  readonly due_ms: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: () => void;
}

/** The checks of all callers, on one gRPC stream of one connection. */
export class CheckStream {
  readonly client: Client;
  readonly #stream: ClientDuplexStream<Buffer, CheckResponse>;
  /** By tag. All have the same timeout, so the first is due first. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #onLost: (stream: CheckStream) => void;
  #tag = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The time of the first timeout since the last answer. */
  #silentSince_ms: number | undefined;
  /** Whether no further requests are sent. */
  #isFinished = false;
  #hasEnded = false;

  constructor(client: Client, onLost: (stream: CheckStream) => void) {
    this.client = client;
    this.#onLost = onLost;
    this.#stream = client.makeBidiStreamRequest(path, encoded, deserialize);
    this.#stream.on('data', (response: CheckResponse) => this.#answered(response));
    this.#stream.on('error', (error: ServiceError) => this.#lost(error));
    this.#stream.on('end', () => this.#lost(undefined));
  }

  /** @throws RateLimitError, or the reason of an aborted signal */
  check(request: CheckRequest, timeout_ms: number, signal?: AbortSignal): Promise<CheckResponse> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#hasEnded || this.#waiting.size >= MAX_WAITING)
        return reject(new RateLimitError('UNAVAILABLE', 'ratelimit does not answer: too many checks wait'));
      const tag = this.#nextTag();
      const message = encode({ sets: request.sets, tag, timeout_ms });
      const onAbort = () => this.#cancel(tag);
      signal?.addEventListener('abort', onAbort);
      const due_ms = performance.now() + timeout_ms;
      this.#waiting.set(tag, { resolve, reject, due_ms, signal, onAbort });
      this.#stream.write(message);
      this.#timer ??= this.#expireAfter(timeout_ms);
    });
  }

  /** Sends no further checks. Those that wait are still answered. */
  end(): void {
    this.#isFinished = true;
    if (!this.#hasEnded) this.#stream.end();
  }

  #nextTag(): number {
    do this.#tag = this.#tag === MAX_TAG ? 0 : this.#tag + 1;
    while (this.#waiting.has(this.#tag));
    return this.#tag;
  }

  #take(tag: number): Waiting | undefined {
    const waiting = this.#waiting.get(tag);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(tag);
    waiting.signal?.removeEventListener('abort', waiting.onAbort);
    return waiting;
  }

  /** A check without a tag that waits has timed out, or was cancelled. */
  #answered({ denial, degraded, tag, error }: CheckResponse): void {
    this.#silentSince_ms = undefined;
    const waiting = this.#take(tag ?? 0);
    if (error) waiting?.reject(errorOfStatus(error));
    else waiting?.resolve({ denial, degraded });
  }

  #cancel(tag: number): void {
    const waiting = this.#take(tag);
    if (waiting === undefined) return;
    if (!this.#hasEnded && !this.#isFinished) this.#stream.write(serialize({ sets: [], tag, cancel: true }));
    waiting.reject(waiting.signal?.reason);
  }

  #expireAfter(wait_ms: number): NodeJS.Timeout {
    // After the next poll for I/O: answers that arrived while this process was busy count.
    return setTimeout(() => setImmediate(() => this.#expire()), wait_ms);
  }

  #expire(): void {
    this.#timer = undefined;
    const now_ms = performance.now();
    let hasExpired = false;
    for (const [tag, { due_ms, reject }] of this.#waiting) {
      if (due_ms > now_ms) {
        this.#timer = this.#expireAfter(due_ms - now_ms);
        break;
      }
      hasExpired = true;
      this.#take(tag);
      reject(new RateLimitError('DEADLINE_EXCEEDED', 'ratelimit did not answer in time'));
    }
    if (!hasExpired) return;
    this.#silentSince_ms ??= now_ms;
    if (now_ms - this.#silentSince_ms >= MAX_SILENCE_MS) this.#stream.cancel();
  }

  #lost(error: ServiceError | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#onLost(this);
    const failure = lostError(error);
    for (const tag of [...this.#waiting.keys()]) this.#take(tag)?.reject(failure);
  }
}

/**
 * Encodes a check before it is written: a message that gRPC cannot send would end the stream of all callers.
 *
 * @throws RateLimitError
 */
function encode(request: CheckRequest): Buffer {
  let message: Buffer;
  try {
    message = serialize(request);
  } catch (cause) {
    throw new RateLimitError('INVALID_ARGUMENT', 'the check has a value of another type', { cause });
  }
  if (message.length > MAX_MESSAGE_BYTES)
    throw new RateLimitError('INVALID_ARGUMENT', 'the check is too long');
  return message;
}

/** Checks are encoded before they are written. */
function encoded(message: Buffer): Buffer {
  return message;
}

/** The error of the checks that a lost stream leaves without an answer. */
function lostError(error: ServiceError | undefined): RateLimitError {
  // The errors of Node's streams have no metadata.
  if (error !== undefined && 'metadata' in error) {
    const failure = errorOfCall(error);
    if (REFUSALS.includes(failure.status)) return failure;
  }
  return new RateLimitError('UNAVAILABLE', 'the stream to ratelimit has ended', { cause: error });
}
