/** A connection that holds bytes, and can be closed to free them. */
export interface BytesHolder {
  /** Its held bytes by the client's IP group; undefined is the key of bytes whose client is not known. */
  heldBytes(): ReadonlyMap<string | undefined, number>;
  /** Frees all of them at once. */
  close(): void;
}

/** Called with a change of the bytes that an IP group holds. */
export type OnHeld = (bytes: number, ipGroup: string | undefined) => void;

export interface HeldBytesOptions {
  readonly max_bytes: number;
  holders(): Iterable<BytesHolder>;
  /** Called for each holder that is closed. */
  onClosed(): void;
}

/** The share of the bound that one IP group may hold. */
const SHARE_OF_ONE_GROUP = 1 / 2;
/** Over a bound, holders are closed until this share of it is held: a search of all holders is expensive, so it must be rare. */
const SHARE_LEFT = 7 / 8;

/**
 * Bounds the memory that clients' requests take before they are answered. Over the bound, the holders with the most bytes
 * are closed. If the newest were closed, a flood of heads would shut out everybody else. IP groups are compared, not
 * connections: many connections with short heads hold more than one with longer heads.
 */
export class HeldBytes {
  readonly #options: HeldBytesOptions;
  readonly #maxOfGroup: number;
  readonly #byGroup = new Map<string | undefined, number>();
  #total = 0;

  constructor(options: HeldBytesOptions) {
    this.#options = options;
    this.#maxOfGroup = options.max_bytes * SHARE_OF_ONE_GROUP;
  }

  total(): number {
    return this.#total;
  }

  /** Counts a change. Over a bound, connections are closed at once. */
  change(bytes: number, ipGroup: string | undefined): void {
    this.#total += bytes;
    const held = this.#heldBy(ipGroup) + bytes;
    if (held > 0) this.#byGroup.set(ipGroup, held);
    else this.#byGroup.delete(ipGroup);
    if (bytes <= 0) return;
    if (ipGroup !== undefined && held > this.#maxOfGroup)
      this.#closeHolders([ipGroup], () => this.#heldBy(ipGroup) <= this.#maxOfGroup * SHARE_LEFT);
    const { max_bytes } = this.#options;
    if (this.#total > max_bytes)
      this.#closeHolders(mostFirst(this.#byGroup), () => this.#total <= max_bytes * SHARE_LEFT);
  }

  #heldBy(ipGroup: string | undefined): number {
    return this.#byGroup.get(ipGroup) ?? 0;
  }

  /** Closes the holders of these IP groups, one group after the other, until `isEnough`. */
  #closeHolders(ipGroups: readonly (string | undefined)[], isEnough: () => boolean): void {
    const { holders, onClosed } = this.#options;
    const shares = sharesOf(holders());
    const closed = new Set<BytesHolder>();
    for (const ipGroup of ipGroups)
      for (const holder of mostFirst(shares.get(ipGroup) ?? new Map<BytesHolder, number>())) {
        if (isEnough()) return;
        if (closed.has(holder)) continue;
        closed.add(holder);
        onClosed();
        holder.close();
      }
  }
}

/** Each holder's bytes, by IP group. */
function sharesOf(holders: Iterable<BytesHolder>): Map<string | undefined, Map<BytesHolder, number>> {
  const shares = new Map<string | undefined, Map<BytesHolder, number>>();
  for (const holder of holders)
    for (const [ipGroup, bytes] of holder.heldBytes()) {
      const share = shares.get(ipGroup) ?? new Map<BytesHolder, number>();
      shares.set(ipGroup, share.set(holder, bytes));
    }
  return shares;
}

function mostFirst<K>(bytes: ReadonlyMap<K, number>): K[] {
  return [...bytes].sort(([, a], [, b]) => b - a).map(([key]) => key);
}
