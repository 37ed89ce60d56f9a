import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** A buffer that has held a message of this length is let go. */
const KEEP_BYTES = 256 * 1024;

let writer = new BinaryWriter();

interface Encoder<T> {
  encode(message: T, writer: BinaryWriter): { finish(): Uint8Array };
}

/**
 * A message's bytes. All messages are written into one buffer, from which each takes its own: a writer
 * apiece costs three times as much as the writing.
 */
export function encodeMessage<T>(type: Encoder<T>, message: T): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = type.encode(message, writer).finish();
    return bytes;
  } finally {
    // After an error it holds half a message.
    if (bytes === undefined || bytes.length > KEEP_BYTES) writer = new BinaryWriter();
  }
}
