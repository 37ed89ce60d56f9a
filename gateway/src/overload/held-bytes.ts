/** A connection that holds bytes, and can be closed to free them. */
export interface BytesHolder {
  /** Its held bytes by client address; undefined is the key of bytes whose client is not known. */
  heldBytes(): ReadonlyMap<string | undefined, number>;
  /** Frees all of them at once. */
  close(): void;
}

/** Called with a change of the bytes that a client address holds. */
export type OnHeld = (bytes: number, address: string | undefined) => void;

export interface HeldBytesOptions {
  readonly max_bytes: number;
  holders(): Iterable<BytesHolder>;
  /** Called for each holder that is closed. */
  onClosed(): void;
}

/** The share of the bound that one address may hold. */
const SHARE_OF_ONE_ADDRESS = 1 / 2;
/** Over a bound, holders are closed until this share of it is held: a search of all holders is expensive, so it must be rare. */
const SHARE_LEFT = 7 / 8;

/**
 * Bounds the memory that clients' requests take before they are answered. Over the bound, the holders with the most bytes
 * are closed. If the newest were closed, a flood of heads would shut out everybody else. Addresses are compared, not
 * connections: many connections with short heads hold more than one with longer heads.
 */
export class HeldBytes {
  readonly #options: HeldBytesOptions;
  readonly #maxOfAddress: number;
  readonly #byAddress = new Map<string | undefined, number>();
  #total = 0;

  constructor(options: HeldBytesOptions) {
    this.#options = options;
    this.#maxOfAddress = options.max_bytes * SHARE_OF_ONE_ADDRESS;
  }

  total(): number {
    return this.#total;
  }

  /** Counts a change. Over a bound, connections are closed at once. */
  change(bytes: number, address: string | undefined): void {
    this.#total += bytes;
    const held = this.#heldBy(address) + bytes;
    if (held > 0) this.#byAddress.set(address, held);
    else this.#byAddress.delete(address);
    if (bytes <= 0) return;
    if (address !== undefined && held > this.#maxOfAddress)
      this.#closeHolders([address], () => this.#heldBy(address) <= this.#maxOfAddress * SHARE_LEFT);
    const { max_bytes } = this.#options;
    if (this.#total > max_bytes)
      this.#closeHolders(mostFirst(this.#byAddress), () => this.#total <= max_bytes * SHARE_LEFT);
  }

  #heldBy(address: string | undefined): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /** Closes the holders of these addresses, one address after the other, until `isEnough`. */
  #closeHolders(addresses: readonly (string | undefined)[], isEnough: () => boolean): void {
    const { holders, onClosed } = this.#options;
    const shares = sharesOf(holders());
    const closed = new Set<BytesHolder>();
    for (const address of addresses)
      for (const holder of mostFirst(shares.get(address) ?? new Map<BytesHolder, number>())) {
        if (isEnough()) return;
        if (closed.has(holder)) continue;
        closed.add(holder);
        onClosed();
        holder.close();
      }
  }
}

/** Each holder's bytes, by address. */
function sharesOf(holders: Iterable<BytesHolder>): Map<string | undefined, Map<BytesHolder, number>> {
  const shares = new Map<string | undefined, Map<BytesHolder, number>>();
  for (const holder of holders)
    for (const [address, bytes] of holder.heldBytes()) {
      const share = shares.get(address) ?? new Map<BytesHolder, number>();
      shares.set(address, share.set(holder, bytes));
    }
  return shares;
}

function mostFirst<K>(bytes: ReadonlyMap<K, number>): K[] {
  return [...bytes].sort(([, one], [, other]) => other - one).map(([key]) => key);
}
