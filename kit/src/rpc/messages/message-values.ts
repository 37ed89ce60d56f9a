import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { asBuffer, type MessageType } from './codec.ts';
import { deepFreeze } from './deep-freeze.ts';

/**
 * A message as the list of values that its generated code writes, instead of bytes. Reading it makes a new message, as
 * if decoded from bytes: with the fields of the contract and no others, null for absent fields, and well-formed text.
 * Strings and bytes themselves are not copied.
 */
export interface MessageValues {
  readonly values: readonly unknown[];
  /** Whether the message is frozen, so that a receiver that changes it fails. */
  readonly frozen: boolean;
}

/** @throws the error of encodeMessage for a value that does not fit its field */
export function writeValues<T>(type: MessageType<T>, message: T, frozen = false): MessageValues {
  try {
    type.encode(message, writer as unknown as BinaryWriter);
    return { values: writer.values, frozen };
  } finally {
    writer.renew();
  }
}

/** @throws the error of decodeMessage for an integer that is not safe */
export function readValues<T>(type: MessageType<T>, { values, frozen }: MessageValues): T {
  try {
    const message = type.decode(reader.setInput(values) as unknown as BinaryReader);
    return frozen ? deepFreeze(message) : message;
  } finally {
    reader.setInput([]); // so that a long message can be freed
  }
}

/*
 * The library declares its state private, but generated code accepts subclasses of its writer and reader.
 * kit/test/rpc/message-values.test.ts compares both subclasses with the codec.
 */
const LibraryWriter = BinaryWriter as unknown as new () => { ensureCapacity(bytes: number): void };
const LibraryReader = BinaryReader as unknown as new (bytes: Uint8Array) => { pos: number; len: number };

class ValueWriter extends LibraryWriter {
  values: unknown[] = [];
  /** The positions of the lengths of unfinished messages. */
  #lengths: number[] = [];

  renew(): void {
    this.values = [];
    this.#lengths.length = 0;
  }

  fork(): this {
    this.#lengths.push(this.values.length);
    return this.#add(0);
  }

  join(): this {
    const at = this.#lengths.pop() ?? 0;
    this.values[at] = this.values.length - at - 1;
    return this;
  }

  uint32(value: number): this {
    return this.#add(exact(value, value >>> 0));
  }

  int32(value: number): this {
    return this.#add(exact(value, value | 0));
  }

  int64(value: number): this {
    return this.#add(exact(value, Math.trunc(value)));
  }

  uint64(value: number): this {
    return this.#add(exact(value, Math.abs(Math.trunc(value))));
  }

  bool(value: boolean): this {
    return this.#add(value);
  }

  double(value: number): this {
    return this.#add(value);
  }

  string(value: string): this {
    return this.#add(value.toWellFormed());
  }

  bytes(value: Uint8Array): this {
    return this.#add(asBuffer(value));
  }

  #add(value: unknown): this {
    this.values.push(value);
    return this;
  }

  /** The write methods of types that no contract uses. */
  override ensureCapacity(): never {
    throw new Error('no contract between our processes has fields of this type');
  }
}

/** @throws RangeError if the number is not an integer in the range of its type */
function exact(value: number, integer: number): number {
  if (value === integer) return integer;
  throw new RangeError(`${value} is not in the range of its field`);
}

class ValueReader extends LibraryReader {
  #values: readonly unknown[] = [];

  setInput(values: readonly unknown[]): this {
    this.#values = values;
    this.pos = 0;
    this.len = values.length;
    return this;
  }

  #next(): unknown {
    return this.#values[this.pos++];
  }

  uint32 = this.#next;
  int32 = this.#next;
  int64 = this.#next;
  uint64 = this.#next;
  bool = this.#next;
  double = this.#next;
  string = this.#next;
  bytes = this.#next;
}

const writer = new ValueWriter();
const reader = new ValueReader(new Uint8Array());
