import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';

/** What ts-proto generates for a message (only what is used here). */
export interface MessageType<T> {
  encode(message: T, writer?: BinaryWriter): { finish(): Uint8Array };
  decode(input: BinaryReader | Uint8Array): T;
}

/** Many messages are written into one buffer one behind the other. */
const SLAB_BYTES = 64 * 1024;
const SHORT = 32;
const EMPTY = Buffer.alloc(0);

/**
 * A message's bytes. They share a buffer with those of others: an allocation apiece costs more than the
 * writing.
 */
export function encodeMessage<T>(type: MessageType<T>, message: T): Uint8Array {
  try {
    writer.write(type, message);
  } catch (error) {
    writer.rollBack(0); // half a message
    throw error;
  }
  return writer.finish();
}

/**
 * Reads the message that lies between `from` and `to` in these bytes.
 *
 * @throws what the generated code throws for bytes that are no such message
 */
export function decodeMessage<T>(
  type: { decode(input: BinaryReader, length?: number): T },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): T {
  try {
    const message = type.decode(reader.over(asBuffer(bytes), from, to) as unknown as BinaryReader, to - from);
    reader.assertBounds(); // which the library leaves out for values of one length
    return message;
  } finally {
    reader.over(EMPTY, 0, 0); // a long message must not be kept
  }
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/*
 * The library keeps its state private to TypeScript, but generated code accepts subclasses. kit/test/codec.test.ts
 * compares both with the library's own.
 */
interface WriterState {
  buffer: Uint8Array;
  viewCache: DataView;
  pos: number;
  stackPos: number[];
  ensureCapacity(bytes: number): void;
  uint32(value: number): this;
  string(value: string): this;
  bytes(value: Uint8Array): this;
  fork(): this;
  join(): this;
}
const LibraryWriter = BinaryWriter as unknown as new () => WriterState;
const LibraryReader = BinaryReader as unknown as new (
  bytes: Uint8Array,
) => {
  buf: Uint8Array;
  len: number;
  pos: number;
  uint32(): number;
  assertBounds(): void;
};

/** Writes messages, or frames of them part by part, into a buffer that they share. */
export class MessageWriter extends LibraryWriter {
  #start = 0;

  constructor() {
    super();
    this.#renew();
  }

  /** Bytes of what is being written. */
  get length(): number {
    return this.pos - this.#start;
  }

  override string(value: string): this {
    // The library is fast with short ASCII; the rest it gives to TextEncoder, which is not.
    if (value.length <= SHORT) {
      super.string(value);
      return this;
    }
    const length = Buffer.byteLength(value);
    this.uint32(length);
    this.ensureCapacity(length);
    this.pos += asBuffer(this.buffer).write(value, this.pos);
    return this;
  }

  write<T>(type: MessageType<T>, message: T): void {
    type.encode(message, this as unknown as BinaryWriter);
  }

  /** A message as a field of the one that is being written; gives its length. */
  writeField<T>(tag: number, type: MessageType<T>, message: T): number {
    this.uint32(tag).fork();
    const from = this.pos;
    this.write(type, message);
    const length = this.pos - from;
    this.join();
    return length;
  }

  /** Leaves room for what is filled in later. */
  skip(bytes: number): void {
    this.ensureCapacity(bytes);
    this.pos += bytes;
  }

  /** The last bytes of what is being written, as their own. */
  copyLast(bytes: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.buffer, this.pos - bytes, this.pos);
  }

  /** Back to when so much was written, whatever was begun since. */
  rollBack(length: number): void {
    this.pos = this.#start + length;
    this.stackPos.length = 0;
    if (this.buffer.length > SLAB_BYTES) this.#renew();
  }

  /** What was written since the last time. */
  finish(): Uint8Array {
    const bytes = this.buffer.subarray(this.#start, this.pos);
    this.#start = this.pos;
    if (this.pos > SLAB_BYTES * 0.75) this.#renew();
    return bytes;
  }

  /** Goes on in a new buffer with what is being written. */
  #renew(): void {
    const begun = this.buffer.subarray(this.#start, this.pos);
    this.buffer = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, begun.length));
    this.buffer.set(begun);
    this.viewCache = new DataView(this.buffer.buffer);
    this.pos = begun.length;
    this.#start = 0;
  }
}

class ReusableReader extends LibraryReader {
  #bytes: Buffer = EMPTY;

  over(bytes: Buffer, from: number, to: number): this {
    this.#bytes = bytes;
    this.buf = bytes;
    this.pos = from;
    this.len = to; // what it holds is not read beyond its end
    return this;
  }

  string(): string {
    const length = this.uint32();
    const start = this.pos;
    this.pos += length;
    this.assertBounds();
    return length === 0 ? '' : this.#bytes.toString('utf8', start, this.pos);
  }

  get view(): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
  }

  set view(_ofTheFirstBytes: DataView) {}
}

const writer = new MessageWriter();
const reader = new ReusableReader(EMPTY);
