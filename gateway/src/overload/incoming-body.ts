import type { IncomingMessage } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { clientGone, payloadTooLarge, tinyChunks } from '../http-error.ts';
import { SHORT_BODY_BYTES, type WatchedBody } from './body-budgets.ts';
import { freeBytes } from './free-bytes.ts';
import type { Overload } from './overload.ts';

/** A request's body, which the client sends as it is read. */
export interface IncomingBody {
  /**
   * Reads all of it. `beforeLong` runs before more than 64 KiB are read; what it throws refuses the body.
   *
   * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, REQUEST_TIMEOUT, BAD_REQUEST
   */
  read(limitBytes: number, beforeLong?: () => Promise<void>): Promise<Buffer>;
  /** Gives its memory back. To be called once the request is answered. */
  release(): void;
}

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 4 * 1024;
/** From this many pieces on, they must have `MIN_PIECE_BYTES` on average: tiny ones cost more than what they hold. */
const FREE_PIECES = 8 * 1024;
const MIN_PIECE_BYTES = 64;

/**
 * The body is kept in one buffer, whose capacity counts against a memory budget. Up to 64 KiB the buffer grows. For
 * a longer body the whole capacity is reserved first; until it is, nothing more is read from the client.
 */
export function incomingBody(raw: IncomingMessage, address: string, overload: Overload): IncomingBody {
  const { bodies, refusals } = overload;
  let kept: Buffer = NOTHING;
  let length = 0;
  let pieces = 0;
  let lastByteAt_ms: number | undefined;
  let complete = true;
  let refuse: (reason: Error) => void = () => undefined;

  const watched: WatchedBody = {
    address,
    arrivedBytes: () => length,
    isComplete: () => complete,
    lastByteAt_ms: () => lastByteAt_ms,
    evict: (reason) => refuse(reason),
  };

  function read(limitBytes: number, beforeLong = nothingBefore): Promise<Buffer> {
    const declared = declaredLength(raw);
    if (declared === 0) return Promise.resolve(NOTHING);
    if (declared !== undefined && declared > limitBytes) return Promise.reject(payloadTooLarge(limitBytes));
    if (raw.destroyed && !raw.readableEnded) return Promise.reject(clientGone()); // no further event would come
    complete = false;
    lastByteAt_ms = performance.now();
    bodies.watch(watched);
    return new Promise((resolve, reject) => {
      refuse = (reason) => {
        if (complete) return;
        complete = true;
        if (kept.length > SHORT_BODY_BYTES) freeBytes(kept); // nobody else has seen it
        kept = NOTHING;
        bodies.release(watched); // at once: others may wait for it
        raw.pause(); // nothing more is parsed until the answer is sent
        reject(reason);
      };
      raw.on('data', (chunk: Buffer) => {
        if (complete) return;
        pieces++;
        lastByteAt_ms = performance.now();
        const reason = refusal(length + chunk.length, limitBytes);
        if (reason === undefined) take(chunk, declared ?? limitBytes);
        else refuse(reason);
      });
      raw.on('end', () => {
        if (complete) return;
        complete = true;
        resolve(kept.length === length ? kept : kept.subarray(0, length));
      });
      // Every request closes; an error that nobody gets would cost its stack trace.
      const gone = (): void => {
        if (!complete) refuse(clientGone());
      };
      raw.on('close', gone);
      raw.on('error', gone);
    });

    function take(chunk: Buffer, mostBytes: number): void {
      const total = length + chunk.length;
      if (total <= kept.length) add(chunk);
      else if (total > SHORT_BODY_BYTES) void makeLong(chunk, mostBytes);
      else if (length === 0 && total === mostBytes && total <= FIRST_BYTES) {
        kept = detached(chunk); // the whole body came as one piece
        length = total;
      } else grow(chunk, mostBytes);
    }

    function add(chunk: Buffer): void {
      chunk.copy(kept, length);
      length += chunk.length;
    }

    function grow(chunk: Buffer, mostBytes: number): void {
      const wanted = Math.max(length + chunk.length, kept.length * 2, FIRST_BYTES);
      const capacity = Math.min(wanted, mostBytes, SHORT_BODY_BYTES);
      if (!bodies.short.reserve(watched, capacity - kept.length)) {
        refuse(unavailable(new Error('the memory budget of short bodies is used up')));
        return;
      }
      kept = moved(kept, length, capacity);
      add(chunk);
    }

    async function makeLong(chunk: Buffer, capacity: number): Promise<void> {
      raw.pause();
      lastByteAt_ms = undefined;
      try {
        await beforeLong();
        if (overload.shedsExpensive()) throw unavailable(new Error('the heap is nearly full'));
        if (!complete) await bodies.long.reserveWhenFree(watched, capacity);
      } catch (reason) {
        refuse(reason as Error);
        return;
      }
      if (complete) {
        bodies.release(watched); // it was refused in the meantime
        return;
      }
      bodies.short.release(watched);
      kept = moved(kept, length, capacity);
      add(chunk);
      lastByteAt_ms = performance.now();
      raw.resume();
    }
  }

  function refusal(total: number, limitBytes: number): Error | undefined {
    if (total > limitBytes) return payloadTooLarge(limitBytes);
    if (pieces <= FREE_PIECES || total >= pieces * MIN_PIECE_BYTES) return undefined;
    refusals.count('tiny_chunks');
    return tinyChunks();
  }

  return {
    read,
    release: () => {
      complete = true;
      kept = NOTHING;
      bodies.release(watched);
    },
  };
}

const nothingBefore = async (): Promise<void> => undefined;

/** Undefined where it is sent in chunks. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** A piece is a view of the buffer that one read of the socket filled; keeping it would keep all of that buffer. */
function detached(chunk: Buffer): Buffer {
  return chunk.buffer.byteLength > chunk.length + FIRST_BYTES
    ? moved(chunk, chunk.length, chunk.length)
    : chunk;
}

function moved(from: Buffer, length: number, capacity: number): Buffer {
  const to = Buffer.allocUnsafeSlow(capacity);
  from.copy(to, 0, 0, length);
  return to;
}
