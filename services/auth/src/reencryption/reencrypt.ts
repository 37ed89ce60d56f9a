import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EncryptedRows, ReencryptRequest, ReencryptResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import type { DecryptedValue, EncryptedTable } from '../encryption/encrypted-table.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { badRequest, notTheNewestKey } from '../errors.ts';
import { encryptedMails } from '../mail/email.ts';
import { encryptedBackupCodes } from '../mfa/backup-codes.ts';
import { encryptedTotpSecrets } from '../mfa/totp.ts';
import { readLimit } from '../read-limit.ts';
import type { EncryptedValue } from '../store/encryption/encrypted-value.ts';

/** In the order in which their pages are read. */
const TABLES: readonly EncryptedTable[] = [encryptedTotpSecrets, encryptedBackupCodes, encryptedMails];

/** Decrypting and encrypting a value blocks the event loop for about 20 µs. */
const VALUE_LIMIT = { fallback: 100, max: 500 };

/** A page to re-encrypt. */
export interface ReencryptQuery {
  readonly table: EncryptedTable;
  /** The page begins after this ID. */
  readonly after: string;
  readonly limit: number;
  readonly dry_run: boolean;
}

/** @throws BAD_REQUEST for a bad limit or cursor, or if `key` is not the newest key here */
export function readReencryptQuery(request: ReencryptRequest, encryption: Encryption): ReencryptQuery {
  const { after = null, dry_run, key } = request;
  const limit = readLimit(request.limit, VALUE_LIMIT);
  const [newest] = encryption.keys;
  if (key != null && key !== newest) throw notTheNewestKey(newest);
  return { ...readCursor(after), limit, dry_run: dry_run === true };
}

/** Re-encrypts the values of a page under the newest key, and counts the rows by key afterwards. */
export async function reencryptPage(
  { db, encryption }: Pick<Deps, 'db' | 'encryption'>,
  { table, after, limit, dry_run }: ReencryptQuery,
): Promise<Omit<ReencryptResponse, 'keys'>> {
  const [newest] = encryption.keys;
  const page = await table.page(db, after, limit);
  const counts = newRowCounts(table.name);
  const older: DecryptedValue[] = [];
  for (const value of page) {
    const key = encryption.keyOf(value.encrypted);
    const text = decrypted(encryption, value, table.context(value.id));
    counts.of(key).rows++;
    if (text === undefined) counts.of(key).unreadable++;
    else if (key !== newest) older.push({ ...value, text });
  }
  const moved = dry_run || older.length === 0 ? [] : await table.reencrypt(db, encryption, older);
  for (const before of moved) {
    counts.of(encryption.keyOf(before)).rows--;
    counts.of(newest).rows++;
    counts.of(newest).moved++;
  }
  const last = page.length < limit ? undefined : page.at(-1)?.id;
  return { rows: counts.all(), next: nextCursor(table, last) };
}

/** Undefined if no configured key decrypts the value, or the value was altered. */
function decrypted(
  encryption: Encryption,
  { encrypted }: EncryptedValue,
  context: string,
): string | undefined {
  try {
    return encryption.decrypt(encrypted, context);
  } catch {
    return undefined;
  }
}

type RowCount = { -readonly [M in keyof EncryptedRows]: EncryptedRows[M] };

/** Counts rows of one table by key. */
function newRowCounts(table: string): { of(key: string): RowCount; all(): EncryptedRows[] } {
  const counts = new Map<string, RowCount>();
  return {
    of: (key) => {
      const known = counts.get(key) ?? { table, key, rows: 0, moved: 0, unreadable: 0 };
      counts.set(key, known);
      return known;
    },
    all: () => [...counts.values()].filter(({ rows }) => rows > 0),
  };
}

/** A cursor is TABLE:ID. The page begins after this ID. */
function readCursor(cursor: string | null): Pick<ReencryptQuery, 'table' | 'after'> {
  const [name, after = '', ...more] = (cursor ?? `${TABLES[0]?.name}:0`).split(':');
  const table = TABLES.find((one) => one.name === name);
  if (table === undefined || !isSnowflake(after) || more.length > 0) throw badRequest('after is not a page.');
  return { table, after };
}

/** The same table after `last`, or the next table. */
function nextCursor(table: EncryptedTable, last: string | undefined): string | undefined {
  if (last !== undefined) return `${table.name}:${last}`;
  const next = TABLES[TABLES.indexOf(table) + 1];
  return next === undefined ? undefined : `${next.name}:0`;
}
