/** A pg_snapshot: the transactions that had ended (committed or rolled back) when it was taken. */
export interface Snapshot {
  /** PostgreSQL's text form: "xmin:xmax:running,running". */
  readonly text: string;
  /** All transactions below had ended. */
  readonly xmin: bigint;
  /** No transaction from here on had ended. */
  readonly xmax: bigint;
  /** Transactions in between that had not ended, in order. */
  readonly running: readonly string[];
}

const NUMBER = '[1-9][0-9]{0,19}';
const FORM = new RegExp(`^(${NUMBER}):(${NUMBER}):((?:${NUMBER}(?:,${NUMBER})*)?)$`);
const MAX_XID = 2n ** 64n - 1n;

/** Parses a snapshot; undefined if PostgreSQL would refuse the text. */
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

/**
 * Whether a transaction had ended when the snapshot was taken: a reader at this snapshot has received its events.
 */
export function isVisibleIn({ xmin, xmax, running }: Snapshot, xact_id: string): boolean {
  const xid = BigInt(xact_id);
  return xid < xmin || (xid < xmax && !running.includes(xact_id));
}

/** Parses a snapshot that PostgreSQL itself returned. */
export function requireSnapshot(text: string | undefined): Snapshot {
  const snapshot = readSnapshot(text ?? '');
  if (snapshot === undefined) throw new Error(`PostgreSQL returned no snapshot but ${text}`);
  return snapshot;
}

/**
 * Whether `one` was taken at the same time as `other` or later. Snapshots of one server are ordered: `xmax` never
 * decreases, and while it stays the same, the running transactions below it only become fewer.
 */
export function isAtLeast(one: Snapshot, other: Snapshot): boolean {
  if (one.xmax !== other.xmax) return one.xmax > other.xmax;
  return one.running.length <= other.running.length;
}
