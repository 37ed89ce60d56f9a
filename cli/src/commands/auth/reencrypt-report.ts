import type { EncryptedRows } from '@gatehouse/proto/auth';
import { printable, printableJson } from '../../output/printable.ts';
import { count } from '../../output/quantities.ts';

/** The encrypted rows after the last round. */
export interface ReencryptResult {
  /** Fingerprints, newest first. */
  readonly keys: readonly string[];
  readonly dry_run: boolean;
  readonly moved: number;
  /** Whether the last round moved nothing. If not, a replica still encrypts under an older key. */
  readonly settled: boolean;
  readonly rows: readonly EncryptedRows[];
}

/** Whether the newest key can decrypt every row. */
export function isComplete({ keys: [newest], settled, rows }: ReencryptResult): boolean {
  return settled && rows.every(({ key, unreadable }) => key === newest && unreadable === 0);
}

/** The report for people. */
export function reencryptLines(result: ReencryptResult): string[] {
  const { keys, dry_run, moved, settled, rows } = result;
  const [newest, ...older] = keys;
  const warnings = settled
    ? []
    : ['A replica still encrypts under an older key. Give all replicas the same AUTH_SECRET_KEY.'];
  return [
    `${count(rowsOf(rows, newest))} under the newest key (${newest})${dry_run ? '' : `, ${count(moved)} moved there now`}`,
    ...unreadableLines(rows),
    ...warnings,
    leftLine(rows, newest, settled ? older : []),
  ].map(printable);
}

function leftLine(
  rows: readonly EncryptedRows[],
  newest: string | undefined,
  older: readonly string[],
): string {
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

function unreadableLines(rows: readonly EncryptedRows[]): string[] {
  const unreadable = rows.filter((row) => row.unreadable > 0);
  if (unreadable.length === 0) return [];
  const each = unreadable.map((row) => `${count(row.unreadable)} in ${row.table} encrypted by ${row.key}`);
  const total = sum(unreadable, (row) => row.unreadable);
  return [
    `${count(total)} cannot be decrypted with any key of AUTH_SECRET_KEY and are kept: ${each.join(', ')}`,
  ];
}

/** The report for scripts: one JSON object. */
export function reencryptJson({ keys, dry_run, moved, settled, rows }: ReencryptResult): string {
  const [newest] = keys;
  const left = sum(
    rows.filter(({ key }) => key !== newest),
    readable,
  );
  const unreadable = sum(rows, (row) => row.unreadable);
  const each = rows.map(({ moved: _, ...row }) => row);
  return printableJson(JSON.stringify({ keys, dry_run, moved, settled, left, unreadable, rows: each }));
}

function readable({ rows, unreadable }: EncryptedRows): number {
  return rows - unreadable;
}

function rowsOf(rows: readonly EncryptedRows[], wanted: string | undefined): number {
  return sum(
    rows.filter(({ key }) => key === wanted),
    readable,
  );
}

function sum(rows: readonly EncryptedRows[], of: (row: EncryptedRows) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
