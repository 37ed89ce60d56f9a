import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import type { MessageType } from '@gatehouse/kit/rpc/codec';

export type { MessageType } from '@gatehouse/kit/rpc/codec';

/** Messages written and read by the library's own writer and reader, one for each message. */
export function encodeMessage<T>(type: MessageType<T>, message: T): Uint8Array {
  return type.encode(message).finish();
}

export function decodeMessage<T>(
  type: { decode(input: BinaryReader, length?: number): T },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): T {
  const isWhole = from === 0 && to === bytes.length;
  return type.decode(new BinaryReader(isWhole ? bytes : bytes.subarray(from, to)), to - from);
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Of the library's writer, what it keeps private to TypeScript. */
interface WriterState {
  buffer: Uint8Array;
  pos: number;
  stackPos: number[];
  ensureCapacity(bytes: number): void;
  uint32(value: number): this;
  string(value: string): this;
  bytes(value: Uint8Array): this;
  fork(): this;
  join(): this;
  finish(): Uint8Array;
}
const LibraryWriter = BinaryWriter as unknown as new () => WriterState;

export class MessageWriter extends LibraryWriter {
  get length(): number {
    return this.pos;
  }

  write<T>(type: MessageType<T>, message: T): void {
    type.encode(message, this as unknown as BinaryWriter);
  }

  writeField<T>(tag: number, type: MessageType<T>, message: T): number {
    this.uint32(tag).fork();
    const from = this.pos;
    this.write(type, message);
    const length = this.pos - from;
    this.join();
    return length;
  }

  skip(bytes: number): void {
    this.ensureCapacity(bytes);
    this.pos += bytes;
  }

  copyLast(bytes: number): Uint8Array {
    return this.buffer.slice(this.pos - bytes, this.pos);
  }

  rollBack(length: number): void {
    this.pos = length;
    this.stackPos.length = 0;
  }
}
