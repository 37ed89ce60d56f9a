/** A body that holds memory of a budget. */
export interface Holder {
  /** Its client's. */
  readonly ipGroup: string;
  /** The number of its bytes that have arrived. */
  arrivedBytes(): number;
  /** Whether all of them have arrived. */
  isComplete(): boolean;
  /** Called to take its memory back, before `release`. */
  evict(reason: Error): void;
}

const SHARE_OF_ONE_GROUP = 1 / 2;

/** Memory for bodies. One IP group may hold at most half of it. */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #bytesByHolder = new Map<Holder, number>();
  readonly #bytesByGroup = new Map<string, number>();
  #reservedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  reservedBytes(): number {
    return this.#reservedBytes;
  }

  holders(): Iterable<Holder> {
    return this.#bytesByHolder.keys();
  }

  /** Returns false if there is not enough memory now. */
  reserve(holder: Holder, bytes: number): boolean {
    const hasRoom = this.#reservedBytes + bytes <= this.#maxBytes;
    if (!hasRoom || !this.isWithinShare(holder.ipGroup, bytes)) return false;
    this.#reservedBytes += bytes;
    this.#bytesByGroup.set(holder.ipGroup, this.#heldBy(holder.ipGroup) + bytes);
    this.#bytesByHolder.set(holder, (this.#bytesByHolder.get(holder) ?? 0) + bytes);
    return true;
  }

  /** Frees all memory that a holder has. Returns whether it had any. */
  release(holder: Holder): boolean {
    const bytes = this.#bytesByHolder.get(holder);
    if (bytes === undefined) return false;
    this.#bytesByHolder.delete(holder);
    this.#reservedBytes -= bytes;
    const left = this.#heldBy(holder.ipGroup) - bytes;
    if (left > 0) this.#bytesByGroup.set(holder.ipGroup, left);
    else this.#bytesByGroup.delete(holder.ipGroup);
    return true;
  }

  /** Whether an IP group may hold this many bytes more, if they are free. */
  isWithinShare(ipGroup: string, bytes: number): boolean {
    return this.#heldBy(ipGroup) + bytes <= this.#maxBytes * SHARE_OF_ONE_GROUP;
  }

  #heldBy(ipGroup: string): number {
    return this.#bytesByGroup.get(ipGroup) ?? 0;
  }
}
