import type { Socket } from 'node:net';

/** Generous: the client of a WebSocket waits for the answer before it sends (RFC 6455 §4.1). */
const MAX_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * The bytes that a client sends before its upgrade is answered. They are read, so that they can be counted: unread, each
 * socket could fill its buffers. A client that sends more than 64 KiB is disconnected.
 */
export class EarlyBytes {
  readonly #client: Socket;
  #bytes: Buffer;
  #onCount: (bytes: number) => void = () => undefined;
  readonly #read = (chunk: Buffer): void => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length > MAX_BYTES) this.#client.destroy();
    this.#onCount(this.#bytes.length);
  };

  constructor(client: Socket, first: Buffer) {
    this.#client = client;
    this.#bytes = first;
    client.on('data', this.#read);
  }

  /** Calls now, and after each further chunk, with the number of bytes. */
  onCount(call: (bytes: number) => void): void {
    this.#onCount = call;
    call(this.#bytes.length);
  }

  /** Returns all of them. Later bytes stay in the socket. */
  take(): Buffer {
    this.#client.off('data', this.#read).pause();
    const taken = this.#bytes;
    this.#bytes = NOTHING;
    return taken;
  }
}
