import type { SealedRows } from '@gatehouse/proto/auth';
import { count } from '../ratelimit/say.ts';
import { printable, printableJson } from './printable.ts';

/** What is sealed, as the last round met it. */
export interface Outcome {
  /** Fingerprints, the newest first. */
  readonly keys: readonly string[];
  readonly dry_run: boolean;
  readonly moved: number;
  /** Whether the last round moved nothing: until then, somebody goes on sealing under an older key. */
  readonly settled: boolean;
  readonly rows: readonly SealedRows[];
}

/** For people. */
export function resealLines(outcome: Outcome): string[] {
  const { keys, dry_run, moved, settled, rows } = outcome;
  const [newest, ...older] = keys;
  const kept = settled
    ? []
    : ['A replica goes on sealing under an older key: give all the same AUTH_SECRET_KEY.'];
  return [
    `${count(rowsOf(rows, newest))} under the newest key (${newest})${dry_run ? '' : `, ${count(moved)} moved there now`}`,
    ...lost(rows),
    ...kept,
    left(rows, newest, settled ? older : []),
  ].map(printable);
}

function left(rows: readonly SealedRows[], newest: string | undefined, older: readonly string[]): string {
  const needing = rows.filter(({ key, rows: all, unreadable }) => key !== newest && all > unreadable);
  const total = sum(needing, readable);
  if (total > 0) {
    const each = needing.map((row) => `${count(readable(row))} in ${row.table} need ${row.key}`);
    return `${count(total)} left under older keys: ${each.join(', ')}`;
  }
  if (older.length === 0) return '0 left under older keys';
  return older.length === 1
    ? `0 left under older keys: the old key (${older[0]}) can be removed now`
    : `0 left under older keys: the old keys (${older.join(', ')}) can be removed now`;
}

function lost(rows: readonly SealedRows[]): string[] {
  const unreadable = rows.filter((row) => row.unreadable > 0);
  if (unreadable.length === 0) return [];
  const each = unreadable.map((row) => `${count(row.unreadable)} in ${row.table} sealed by ${row.key}`);
  const total = sum(unreadable, (row) => row.unreadable);
  return [`${count(total)} opened by no key of AUTH_SECRET_KEY, and left as they are: ${each.join(', ')}`];
}

/** For scripts: one object. */
export function resealJson({ keys, dry_run, moved, settled, rows }: Outcome): string {
  const [newest] = keys;
  const left = sum(
    rows.filter(({ key }) => key !== newest),
    readable,
  );
  const unreadable = sum(rows, (row) => row.unreadable);
  const each = rows.map(({ moved: _, ...row }) => row);
  return printableJson(JSON.stringify({ keys, dry_run, moved, settled, left, unreadable, rows: each }));
}

function readable({ rows, unreadable }: SealedRows): number {
  return rows - unreadable;
}

function rowsOf(rows: readonly SealedRows[], wanted: string | undefined): number {
  return sum(
    rows.filter(({ key }) => key === wanted),
    readable,
  );
}

function sum(rows: readonly SealedRows[], of: (row: SealedRows) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
