import { MAX_FRAME_BYTES, PREFIX_BYTES } from '../limits.ts';

const EMPTY = Buffer.alloc(0);

/** Splits the chunks of a gRPC stream, of any length, into messages. Copies only messages that several chunks hold. */
export class MessageSplitter {
  #head: Buffer = EMPTY;
  readonly #rest: Buffer[] = [];
  #bytes = 0;

  /** Bytes that `next` has not returned yet. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#rest.push(chunk);
    this.#bytes += chunk.length;
  }

  /**
   * Returns the next message, without its prefix; undefined if none is complete.
   *
   * @throws UnreadableMessage
   */
  next(): Buffer | undefined {
    if (!this.#gather(PREFIX_BYTES)) return undefined;
    const end = PREFIX_BYTES + lengthOf(this.#head);
    if (!this.#gather(end)) return undefined;
    const message = this.#head.subarray(PREFIX_BYTES, end);
    this.#head = this.#head.subarray(end);
    this.#bytes -= end;
    return message;
  }

  /** Gathers so many bytes in `#head`. Returns false if there are fewer. */
  #gather(bytes: number): boolean {
    if (this.#bytes < bytes) return false;
    if (this.#head.length >= bytes) return true;
    const parts = [this.#head];
    for (let gathered = this.#head.length; gathered < bytes; ) {
      const part = this.#rest.shift() ?? EMPTY; // there are enough
      gathered += part.length;
      if (part.length > 0) parts.push(part);
    }
    const [first = EMPTY, second = EMPTY] = parts;
    this.#head = first.length === 0 && parts.length === 2 ? second : Buffer.concat(parts);
    return true;
  }
}

/** A message that this side does not read. */
export class UnreadableMessage extends Error {
  readonly why: 'compressed' | 'too long';

  constructor(why: UnreadableMessage['why']) {
    super(`the peer sent a message that is ${why}`);
    this.why = why;
  }
}

function lengthOf(prefixed: Buffer): number {
  const length = prefixed.readUInt32BE(1);
  if (prefixed[0] !== 0) throw new UnreadableMessage('compressed');
  if (length > MAX_FRAME_BYTES) throw new UnreadableMessage('too long');
  return length;
}
