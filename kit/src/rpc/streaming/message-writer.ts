import type { ServerWritableStream } from '@grpc/grpc-js';

/** Maximum bytes, besides one message, in memory for a client that does not read. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Sends a message. Settles when there is room for another one, or the signal aborts. Never throws. */
export type WriteMessage = (message: Uint8Array) => Promise<void>;

/** Writes messages to a client as fast as it reads them. */
export function messageWriter(
  grpc: ServerWritableStream<Uint8Array, Uint8Array>,
  signal: AbortSignal,
): WriteMessage {
  let waitingBytes = 0;
  let room: (() => void) | undefined;
  signal.addEventListener('abort', () => room?.(), { once: true });

  return (message) => {
    waitingBytes += message.length;
    grpc.write(message, () => {
      waitingBytes -= message.length;
      if (waitingBytes <= MAX_UNREAD_BYTES) room?.();
    });
    if (waitingBytes <= MAX_UNREAD_BYTES || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      room = resolve;
    });
  };
}
