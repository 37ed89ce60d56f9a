/** Somebody who holds bytes and can be made to give them back. */
export interface BytesHolder {
  /** What it holds, of one address or in all. */
  heldBytes(address?: string): number;
  /** Gives all of it back at once. */
  close(): void;
}

export interface HeldBytes {
  /** Counts a change. Beyond a bound, the connections that hold most are closed at once. */
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
/** How much is taken back beyond the excess, as a share of the bound: looking through all holders has its price. */
const SHARE_TAKEN_BACK = 1 / 8;

/**
 * Bounds what clients' requests hold before they are answered. At a bound those who hold most are closed, and not who
 * comes next: a flood of long heads would shut out all others.
 */
export function heldBytes({ max_bytes, holders, onClosed }: HeldBytesOptions): HeldBytes {
  const maxOfAddress = max_bytes * SHARE_OF_ONE_ADDRESS;
  const ofAddress = new Map<string, number>();
  let total = 0;

  function change(bytes: number, address: string | undefined): void {
    total += bytes;
    let held = 0;
    if (address !== undefined) {
      held = (ofAddress.get(address) ?? 0) + bytes;
      if (held > 0) ofAddress.set(address, held);
      else ofAddress.delete(address);
    }
    if (bytes <= 0) return;
    if (held > maxOfAddress) takeBack(held - maxOfAddress * (1 - SHARE_TAKEN_BACK), address);
    if (total > max_bytes) takeBack(total - max_bytes * (1 - SHARE_TAKEN_BACK));
  }

  function takeBack(bytes: number, address?: string): void {
    const held = [...holders()].map((holder) => ({ holder, bytes: holder.heldBytes(address) }));
    let left = bytes;
    for (const one of held.sort((a, b) => b.bytes - a.bytes)) {
      if (left <= 0 || one.bytes === 0) return;
      left -= one.bytes;
      onClosed();
      one.holder.close();
    }
  }

  return { change, total: () => total };
}
