import { unavailable } from '@gatehouse/kit/fault';

/** The memory that one client's picture holds. */
export interface MediaReservation {
  /**
   * Reserves nothing after `release`.
   *
   * @throws UNAVAILABLE if too little is left
   */
  reserve(bytes: number): void;
  /** Frees all of it. */
  release(): void;
}

/**
 * The memory for pictures on their way to clients. Each client reserves the memory of one part before the first, and keeps
 * it until its picture is sent. So the edge may refuse a further client, but never a later part of a picture.
 */
export class MediaMemory {
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  #reservedBytes = 0;

  constructor(maxBytes: number, onRefused: () => void) {
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
  }

  open(): MediaReservation {
    let reserved = 0;
    let isReleased = false;
    return {
      reserve: (bytes) => {
        if (isReleased) return;
        this.#add(bytes);
        reserved += bytes;
      },
      release: () => {
        isReleased = true;
        this.#reservedBytes -= reserved;
        reserved = 0;
      },
    };
  }

  #add(bytes: number): void {
    if (this.#reservedBytes + bytes > this.#maxBytes) {
      this.#onRefused();
      throw unavailable(new Error(`${this.#reservedBytes} of ${this.#maxBytes} bytes are reserved already`));
    }
    this.#reservedBytes += bytes;
  }
}
