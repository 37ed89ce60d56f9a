import { freeBytes } from './free-bytes.ts';

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 4 * 1024;

/** The bytes of a body in one buffer, whose capacity the caller has reserved. */
export class BodyBuffer {
  #bytes: Buffer = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /** Whether this first chunk can be kept without a copy: it is the whole body, and short. */
  isWholeShortBody(chunk: Buffer, maxBytes: number): boolean {
    return this.#length === 0 && chunk.length === maxBytes && chunk.length <= FIRST_BYTES;
  }

  keepWhole(chunk: Buffer): void {
    this.#bytes = compacted(chunk);
    this.#length = chunk.length;
  }

  /** The capacity that a short body grows to for `chunk`. */
  grownCapacity(chunk: Buffer, maxBytes: number): number {
    return Math.min(Math.max(this.#length + chunk.length, this.capacity * 2, FIRST_BYTES), maxBytes);
  }

  resize(capacity: number): void {
    this.#bytes = copied(this.#bytes, this.#length, capacity);
  }

  append(chunk: Buffer): void {
    chunk.copy(this.#bytes, this.#length);
    this.#length += chunk.length;
  }

  bytes(): Buffer {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length);
  }

  /** Drops this reference to the bytes. Readers that have taken them keep them. */
  drop(): void {
    this.#bytes = NOTHING;
  }

  /** Frees the bytes at once. To be called only before a reader has taken them. */
  free(): void {
    freeBytes(this.#bytes);
    this.drop();
  }
}

/** A chunk is a view of the buffer that one read of the socket filled; keeping it would keep all of that buffer. */
function compacted(chunk: Buffer): Buffer {
  return chunk.buffer.byteLength > chunk.length + FIRST_BYTES
    ? copied(chunk, chunk.length, chunk.length)
    : chunk;
}

function copied(from: Buffer, length: number, capacity: number): Buffer {
  const to = Buffer.allocUnsafeSlow(capacity);
  from.copy(to, 0, 0, length);
  return to;
}
