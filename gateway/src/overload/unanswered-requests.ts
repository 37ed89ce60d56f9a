import type { ServerResponse } from 'node:http';
import { type Head, MAX_HEADS_BYTES } from './heads.ts';
import type { OnHeld } from './held-bytes.ts';

/** The unanswered requests of a connection, and the memory of their heads. */
export class UnansweredRequests {
  readonly #heads = new Map<ServerResponse, Head>();
  readonly #maxRequests: number;
  readonly #onHeld: OnHeld;
  /** Sum of the heads' lengths. */
  #bytes = 0;
  #isFull = false;

  constructor(maxRequests: number, onHeld: OnHeld) {
    this.#maxRequests = maxRequests;
    this.#onHeld = onHeld;
  }

  get size(): number {
    return this.#heads.size;
  }

  /**
   * Whether no further request may be parsed. It becomes true when the number of requests or the length of their heads
   * reaches its bound, and false when both are at most half of it.
   */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(response: ServerResponse, head: Head): void {
    this.#heads.set(response, head);
    this.#bytes += head.bytes;
    if (this.size >= this.#maxRequests || this.#bytes >= MAX_HEADS_BYTES) this.#isFull = true;
    this.#onHeld(head.heldBytes, head.ipGroup);
  }

  remove(response: ServerResponse): void {
    const head = this.#heads.get(response);
    if (head === undefined) return;
    this.#heads.delete(response);
    this.#bytes -= head.bytes;
    if (this.size <= this.#maxRequests / 2 && this.#bytes <= MAX_HEADS_BYTES / 2) this.#isFull = false;
    this.#onHeld(-head.heldBytes, head.ipGroup);
  }

  responses(): Iterable<ServerResponse> {
    return this.#heads.keys();
  }

  heads(): Iterable<Head> {
    return this.#heads.values();
  }
}
