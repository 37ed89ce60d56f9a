import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';

/** The parts of ts-proto's generated code for a message that are used here. */
export interface MessageType<T> {
  encode(message: T, writer?: BinaryWriter): { finish(): Uint8Array };
  decode(input: BinaryReader | Uint8Array, length?: number): T;
}

/** Messages are encoded into one buffer, one after the other. */
const SLAB_BYTES = 64 * 1024;
/** The length of a longer buffer, relative to what is needed of it. */
const GROWTH = 1.25;
const MAX_SHORT_CHARACTERS = 32;
const EMPTY_BUFFER = Buffer.alloc(0);

/** Encodes a message. Its bytes share a buffer with other messages, which saves an allocation for each. */
export function encodeMessage<T>(type: MessageType<T>, message: T): Uint8Array {
  try {
    writer.write(type, message);
  } catch (error) {
    writer.rollBack(0); // drops the incomplete message
    throw error;
  }
  return writer.finish();
}

/**
 * Decodes the message in `bytes` from `from` up to `to`.
 *
 * @throws the error of the generated code if the bytes are not such a message
 */
export function decodeMessage<T>(
  type: { decode(input: BinaryReader, length?: number): T },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): T {
  try {
    const message = type.decode(
      reader.setInput(asBuffer(bytes), from, to) as unknown as BinaryReader,
      to - from,
    );
    reader.assertBounds(); // the library does not check the range of fixed-length values
    return message;
  } finally {
    reader.setInput(EMPTY_BUFFER, 0, 0); // so that a long message can be freed
  }
}

/**
 * Returns a message type that reads a uint64 beyond the safe integers as the largest of them. Generated code would
 * refuse such a message. For third-party contracts, in which the value is meaningful.
 */
export function saturating<T>(type: MessageType<T>): MessageType<T> {
  return {
    encode: type.encode,
    decode: (input: BinaryReader | Uint8Array, length?: number): T => {
      const [bytes, from] =
        input instanceof ReusableReader ? [input.wholeBuffer, input.pos] : [bytesOf(input), 0];
      const to = length === undefined ? bytes.length : from + length;
      try {
        const message = type.decode(
          saturatingReader.setInput(bytes, from, to) as unknown as BinaryReader,
          to - from,
        );
        saturatingReader.assertBounds();
        return message;
      } finally {
        saturatingReader.setInput(EMPTY_BUFFER, 0, 0);
        if (input instanceof ReusableReader) input.pos = to;
      }
    },
  };
}

function bytesOf(input: BinaryReader | Uint8Array): Buffer {
  if (input instanceof Uint8Array) return asBuffer(input);
  throw new Error('only readers of this kit can be read');
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/*
 * The library declares its state private, but generated code accepts subclasses of its writer and reader.
 * kit/test/rpc/codec.test.ts compares both subclasses with the library.
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
  uint64(): string | bigint;
  assertBounds(): void;
};

/** Writes messages, and frames piece by piece, into a shared buffer. */
export class MessageWriter extends LibraryWriter {
  #start = 0;

  constructor() {
    super();
    this.#renew();
  }

  /** The length of the unfinished message. */
  get length(): number {
    return this.pos - this.#start;
  }

  /** Copies the unfinished message alone into a longer buffer, in its place. The library would copy all, into zeros. */
  override ensureCapacity(bytes: number): void {
    const required = this.pos + bytes;
    if (required <= this.buffer.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, Math.ceil(required * GROWTH)));
    longer.set(this.buffer.subarray(this.#start, this.pos), this.#start);
    this.buffer = longer;
  }

  override string(value: string): this {
    // The library is fast for short ASCII text. For other text it uses TextEncoder, which is slow.
    if (value.length <= MAX_SHORT_CHARACTERS) {
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

  /** Writes a message as a field of the unfinished one. Returns its length. */
  writeField<T>(tag: number, type: MessageType<T>, message: T): number {
    this.uint32(tag).fork();
    const from = this.pos;
    this.write(type, message);
    const length = this.pos - from;
    this.join();
    return length;
  }

  /** Reserves bytes that are filled later. */
  reserve(bytes: number): void {
    this.ensureCapacity(bytes);
    this.pos += bytes;
  }

  /** Truncates the unfinished message to an earlier length, and returns its last bytes in a buffer of their own. */
  cutOff(length: number, bytes: number): Uint8Array {
    const last = this.buffer.subarray(this.pos - bytes, this.pos);
    this.pos = this.#start + length;
    this.stackPos.length = 0;
    this.#renew();
    return last;
  }

  /** Truncates the unfinished message to an earlier length. */
  rollBack(length: number): void {
    this.pos = this.#start + length;
    this.stackPos.length = 0;
    if (this.buffer.length > SLAB_BYTES) this.#renew();
  }

  /** Ends the message and returns its bytes. */
  finish(): Uint8Array {
    const bytes = this.buffer.subarray(this.#start, this.pos);
    this.#start = this.pos;
    if (this.pos > SLAB_BYTES * 0.75) this.#renew();
    return bytes;
  }

  /** Moves the unfinished message into a new buffer. */
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
  #bytes: Buffer = EMPTY_BUFFER;

  setInput(bytes: Buffer, from: number, to: number): this {
    this.#bytes = bytes;
    this.buf = bytes;
    this.pos = from;
    this.len = to; // the end of the message, not of the buffer
    return this;
  }

  /** The whole buffer, including bytes before and after the message. */
  get wholeBuffer(): Buffer {
    return this.#bytes;
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

  /** The library's constructor assigns a view. It is ignored, because the buffer changes. */
  set view(_view: DataView) {}
}

class SaturatingReader extends ReusableReader {
  override uint64(): string | bigint {
    const value = super.uint64();
    return BigInt(value) > MAX_SAFE ? MAX_SAFE : value;
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const writer = new MessageWriter();
const reader = new ReusableReader(EMPTY_BUFFER);
const saturatingReader = new SaturatingReader(EMPTY_BUFFER);
