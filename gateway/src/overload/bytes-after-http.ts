import type { Socket } from 'node:net';
import type { OnHeld } from './held-bytes.ts';

/**
 * The bytes that the edge holds for a connection that Node's parser no longer reads: those of an upgrade until realtime
 * answers, then those in its tunnel; or those of a request whose method the parser does not know.
 */
export class BytesAfterHttp {
  readonly #onHeld: OnHeld;
  #upstream: Socket | undefined;
  /** The client's. */
  ipGroup: string | undefined;
  heldBytes = 0;

  constructor(onHeld: OnHeld) {
    this.#onHeld = onHeld;
  }

  /** Sets the number of bytes of its request that the edge keeps. */
  hold(bytes: number, ipGroup: string | undefined): void {
    if (this.heldBytes > 0) this.#onHeld(-this.heldBytes, this.ipGroup);
    this.heldBytes = bytes;
    this.ipGroup = ipGroup;
    if (bytes > 0) this.#onHeld(bytes, ipGroup);
  }

  /** Joins a tunnel. The client's bytes that realtime has not read count as unsent. */
  tunnelTo(upstream: Socket): void {
    this.#upstream = upstream;
  }

  unsentBytes(): number {
    return this.#upstream?.writableLength ?? 0;
  }
}
