/** Somebody who holds bytes and can be made to give them back. */
export interface BytesHolder {
  /** What it holds of each client address; undefined stands for bytes whose client is not known. */
  heldBytes(): ReadonlyMap<string | undefined, number>;
  /** Gives all of it back at once. */
  close(): void;
}

export interface HeldBytes {
  /** Counts a change. Beyond a bound, connections are closed at once, first those of the addresses that hold most. */
  change(bytes: number, address: string | undefined): void;
  total(): number;
}

export interface HeldBytesOptions {
  readonly max_bytes: number;
  holders(): Iterable<BytesHolder>;
  /** Called for each holder that is closed. */
  onClosed(): void;
}

/** The share that one address may hold. */
const SHARE_OF_ONE_ADDRESS = 1 / 2;
/** How much of a bound is left at least once bytes were taken back: looking through all holders has its price. */
const SHARE_LEFT = 7 / 8;

/**
 * Bounds what clients' requests hold before they are answered. At a bound those who hold most are closed, and not who
 * comes next: a flood of heads would shut out all others. Addresses are compared, not connections: many connections with
 * short heads hold more than one with longer heads.
 */
export function heldBytes({ max_bytes, holders, onClosed }: HeldBytesOptions): HeldBytes {
  const maxOfAddress = max_bytes * SHARE_OF_ONE_ADDRESS;
  const ofAddress = new Map<string | undefined, number>();
  let total = 0;

  const heldBy = (address: string | undefined): number => ofAddress.get(address) ?? 0;

  function change(bytes: number, address: string | undefined): void {
    total += bytes;
    const held = heldBy(address) + bytes;
    if (held > 0) ofAddress.set(address, held);
    else ofAddress.delete(address);
    if (bytes <= 0) return;
    if (address !== undefined && held > maxOfAddress)
      takeBack([address], () => heldBy(address) <= maxOfAddress * SHARE_LEFT);
    if (total > max_bytes) takeBack(mostFirst(ofAddress), () => total <= max_bytes * SHARE_LEFT);
  }

  /** Closes the holders of these addresses, one address after the other, until it is enough. */
  function takeBack(addresses: readonly (string | undefined)[], isEnough: () => boolean): void {
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

  return { change, total: () => total };
}

/** By address, what each holder has. */
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
