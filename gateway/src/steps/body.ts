import type { IncomingMessage } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { clientGone, payloadTooLarge, tinyChunks } from '../http-error.ts';
import { type ArrivingBody, SHORT_BODY_BYTES } from '../overload/body-memory.ts';
import type { Overload } from '../overload/overload.ts';

/** A request's body on its way in. */
export interface Body {
  /**
   * All of it. `beforeLong` runs before more than 64 KiB are read, and what it throws refuses the body.
   *
   * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, REQUEST_TIMEOUT, BAD_REQUEST
   */
  read(limitBytes: number, beforeLong?: () => Promise<void>): Promise<Buffer>;
  /** To be called once the request is answered: its body takes no room any more. */
  release(): void;
}

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 4 * 1024;
/** From here on the pieces of a body must have a length that is worth the work with them. */
const FREE_PIECES = 8 * 1024;
const MIN_PIECE_BYTES = 64;

/**
 * The body of a request, of a client of that address. It is kept in one buffer, whose capacity counts: up to
 * 64 KiB that grows; for more, room for the whole body is waited for first, while its client is not read.
 */
export function requestBody(raw: IncomingMessage, address: string, overload: Overload): Body {
  const { bodies, refusals } = overload;
  let kept: Buffer = NOTHING;
  let length = 0;
  let pieces = 0;
  let lastByteAt_ms: number | undefined;
  let complete = true;
  let refuse: (reason: Error) => void = () => undefined;

  const arriving: ArrivingBody = {
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
    if (raw.destroyed && !raw.readableEnded) return Promise.reject(clientGone()); // and nothing more is emitted
    complete = false;
    lastByteAt_ms = performance.now();
    bodies.watch(arriving);
    return new Promise((resolve, reject) => {
      refuse = (reason) => {
        if (complete) return;
        complete = true;
        kept = NOTHING;
        bodies.release(arriving); // at once, so that others find the room
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
      raw.on('close', () => refuse(clientGone()));
      raw.on('error', () => refuse(clientGone()));
    });

    function take(chunk: Buffer, mostBytes: number): void {
      const total = length + chunk.length;
      if (total <= kept.length) add(chunk);
      else if (total > SHORT_BODY_BYTES) void makeLong(chunk, mostBytes);
      else if (length === 0 && total === mostBytes && total <= FIRST_BYTES) {
        kept = apart(chunk); // the whole of it, in one piece
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
      if (!bodies.short.take(arriving, capacity - kept.length)) {
        refuse(unavailable(new Error('too many bodies are in memory')));
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
        if (!complete) await bodies.long.takeInTurn(arriving, capacity);
      } catch (reason) {
        refuse(reason as Error);
        raw.resume();
        return;
      }
      if (complete) {
        bodies.release(arriving); // it was refused meanwhile
        return;
      }
      bodies.short.release(arriving);
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
      bodies.release(arriving);
    },
  };
}

const nothingBefore = async (): Promise<void> => undefined;

/** Undefined where it comes in chunks. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** A piece is a part of all that one read of the socket brought, which would stay in memory with it. */
function apart(chunk: Buffer): Buffer {
  return chunk.buffer.byteLength > chunk.length + FIRST_BYTES
    ? moved(chunk, chunk.length, chunk.length)
    : chunk;
}

function moved(from: Buffer, length: number, capacity: number): Buffer {
  const to = Buffer.allocUnsafeSlow(capacity);
  from.copy(to, 0, 0, length);
  return to;
}
