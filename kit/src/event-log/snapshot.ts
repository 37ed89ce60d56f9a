/** A pg_snapshot: which transactions had committed, or been rolled back, when it was taken. */
export interface Snapshot {
  /** As PostgreSQL writes it: "xmin:xmax:running,running". */
  readonly text: string;
  /** All transactions below were over. */
  readonly xmin: bigint;
  /** None from here on was. */
  readonly xmax: bigint;
  /** Those between that were not over, in order. */
  readonly running: readonly string[];
}

const NUMBER = '[1-9][0-9]{0,19}';
const FORM = new RegExp(`^(${NUMBER}):(${NUMBER}):((?:${NUMBER}(?:,${NUMBER})*)?)$`);
const MAX_XID = 2n ** 64n - 1n;

/** Undefined for what PostgreSQL would not take for a snapshot. */
export function readSnapshot(text: string): Snapshot | undefined {
  const [, from, to, list] = FORM.exec(text) ?? [];
  if (from === undefined || to === undefined || list === undefined) return undefined;
  const [xmin, xmax] = [BigInt(from), BigInt(to)];
  if (xmin > xmax || xmax > MAX_XID) return undefined;
  const running = list === '' ? [] : list.split(',');
  let last = xmin - 1n;
  for (const xid of running.map(BigInt)) {
    if (xid <= last || xid >= xmax) return undefined;
    last = xid;
  }
  return { text, xmin, xmax, running };
}

/** Whether a transaction was over when the snapshot was taken: whatever it wrote is behind who has seen that. */
export function isBehind({ xmin, xmax, running }: Snapshot, xact_id: string): boolean {
  const xid = BigInt(xact_id);
  return xid < xmin || (xid < xmax && !running.includes(xact_id));
}

/** What PostgreSQL itself gave. */
export function requireSnapshot(text: string | undefined): Snapshot {
  const snapshot = readSnapshot(text ?? '');
  if (snapshot === undefined) throw new Error(`PostgreSQL gave no snapshot but ${text}`);
  return snapshot;
}

/**
 * Whether `one` was taken when `other` was, or later. Of two snapshots of a server, one has all that the other has: `xmax`
 * never falls, and while it stays, what runs below it only becomes less.
 */
export function isAtLeast(one: Snapshot, other: Snapshot): boolean {
  if (one.xmax !== other.xmax) return one.xmax > other.xmax;
  return one.running.length <= other.running.length;
}
