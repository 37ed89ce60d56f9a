import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';

/** What ts-proto generates for a message (only what is used here). */
export interface MessageType<T> {
  encode(message: T, writer?: BinaryWriter): { finish(): Uint8Array };
  decode(input: BinaryReader | Uint8Array): T;
}

/** Many messages are written into one buffer one behind the other. */
const SLAB_BYTES = 64 * 1024;
const SHORT = 32;
const PREFIX_BYTES = 5;
const EMPTY = Buffer.alloc(0);

/**
 * A message's bytes. They share a buffer with those of others: an allocation apiece costs more than the
 * writing.
 */
export function encodeMessage<T>(type: MessageType<T>, message: T): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = type.encode(message, writer as unknown as BinaryWriter).finish();
    return bytes;
  } finally {
    if (bytes === undefined) writer = new SlabWriter(); // the old one holds half a message
  }
}

/** The same with gRPC's prefix: that it is not compressed, and its length. */
export function encodePrefixed<T>(type: MessageType<T>, message: T): Uint8Array {
  writer.skip(PREFIX_BYTES);
  const bytes = encodeMessage(type, message);
  bytes[0] = 0;
  asBuffer(bytes).writeUInt32BE(bytes.length - PREFIX_BYTES, 1);
  return bytes;
}

/** @throws what the generated code throws for bytes that are no such message */
export function decodeMessage<T>(type: { decode(input: BinaryReader): T }, bytes: Uint8Array): T {
  try {
    return type.decode(reader.over(asBuffer(bytes)) as unknown as BinaryReader);
  } finally {
    reader.over(EMPTY); // a long message must not be kept
  }
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/*
 * The library keeps its state private to TypeScript, but generated code accepts subclasses. kit/test/codec.test.ts
 * compares both with the library's own.
 */
const LibraryWriter = BinaryWriter as unknown as new () => {
  buffer: Uint8Array;
  viewCache: DataView;
  pos: number;
  ensureCapacity(bytes: number): void;
  uint32(value: number): unknown;
  string(value: string): unknown;
};
const LibraryReader = BinaryReader as unknown as new (
  bytes: Uint8Array,
) => {
  buf: Uint8Array;
  len: number;
  pos: number;
  uint32(): number;
  assertBounds(): void;
};

class SlabWriter extends LibraryWriter {
  #start = 0;

  constructor() {
    super();
    this.#renew();
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

  /** Leaves room for what is filled in later. */
  skip(bytes: number): void {
    this.ensureCapacity(bytes);
    this.pos += bytes;
  }

  finish(): Uint8Array {
    const bytes = this.buffer.subarray(this.#start, this.pos);
    this.#start = this.pos;
    if (this.pos > SLAB_BYTES * 0.75) this.#renew();
    return bytes;
  }

  #renew(): void {
    this.buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
    this.viewCache = new DataView(this.buffer.buffer);
    this.pos = 0;
    this.#start = 0;
  }
}

class ReusableReader extends LibraryReader {
  #bytes: Buffer = EMPTY;

  over(bytes: Buffer): this {
    this.#bytes = bytes;
    this.buf = bytes;
    this.len = bytes.length;
    this.pos = 0;
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

let writer = new SlabWriter();
const reader = new ReusableReader(EMPTY);
