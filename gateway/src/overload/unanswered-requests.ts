import type { ServerResponse } from 'node:http';
import { type Head, MAX_HEADS_BYTES } from './heads.ts';
import type { OnHeld } from './held-bytes.ts';

interface Unanswered {
  readonly response: ServerResponse;
  readonly head: Head;
}

/**
 * The unanswered requests of a connection, and the memory of their heads. They are in an array: a Map would keep answered
 * ones in memory until a full garbage collection (kit/src/rpc/stream/open-calls.ts).
 */
export class UnansweredRequests {
  /** In the order of their arrival, at most a few more than `#maxRequests`. */
  readonly #requests: Unanswered[] = [];
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
    return this.#requests.length;
  }

  /**
   * Whether no further request may be parsed. It becomes true when the number of requests or the length of their heads
   * reaches its bound, and false when both are at most half of it.
   */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(response: ServerResponse, head: Head): void {
    this.#requests.push({ response, head });
    this.#bytes += head.bytes;
    if (this.size >= this.#maxRequests || this.#bytes >= MAX_HEADS_BYTES) this.#isFull = true;
    this.#onHeld(head.heldBytes, head.ipGroup);
  }

  remove(response: ServerResponse): void {
    const at = this.#requests.findIndex((one) => one.response === response);
    const head = this.#requests[at]?.head;
    if (head === undefined) return;
    this.#requests.splice(at, 1);
    this.#bytes -= head.bytes;
    if (this.size <= this.#maxRequests / 2 && this.#bytes <= MAX_HEADS_BYTES / 2) this.#isFull = false;
    this.#onHeld(-head.heldBytes, head.ipGroup);
  }

  responses(): ServerResponse[] {
    return this.#requests.map(({ response }) => response);
  }

  heads(): Head[] {
    return this.#requests.map(({ head }) => head);
  }
}
