import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ResealRequest, ResealResponse, SealedRows } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { anotherNewestKey, badRequest } from '../errors.ts';
import { sealedLetters } from '../mail/email.ts';
import { sealedBackupCodes } from '../mfa/backup-codes.ts';
import { sealedTotpSecrets } from '../mfa/totp.ts';
import type { SealedValue } from '../store/encrypted-value.ts';
import type { OpenedValue, SealedValues } from './encrypted-values.ts';
import type { Seals } from './encryption.ts';

/** All that is sealed, in the order of the pages. */
const SEALED: readonly SealedValues[] = [sealedTotpSecrets, sealedBackupCodes, sealedLetters];

const DEFAULT_LIMIT = 100;
/** Opening and sealing a value takes some 20 µs, in which nothing else happens. */
const MAX_LIMIT = 500;

/** A page, as it is asked for. */
export interface ResealQuery {
  readonly values: SealedValues;
  /** The ID before the page's first. */
  readonly after: string;
  readonly limit: number;
  readonly dry_run: boolean;
}

/** @throws BAD_REQUEST, also where another key than the newest of these is asked for */
export function readResealQuery(request: ResealRequest, seals: Seals): ResealQuery {
  const { after = null, dry_run, key } = request;
  const limit = request.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw badRequest(`limit must be 1 to ${MAX_LIMIT}.`);
  const [newest] = seals.keys;
  if (key != null && key !== newest) throw anotherNewestKey(newest);
  return { ...readCursor(after), limit, dry_run: dry_run === true };
}

/** Seals what is on a page under the newest key, and counts it as it is then. */
export async function resealPage(
  { db, seals }: Pick<Deps, 'db' | 'seals'>,
  { values, after, limit, dry_run }: ResealQuery,
): Promise<Omit<ResealResponse, 'keys'>> {
  const [newest] = seals.keys;
  const page = await values.page(db, after, limit);
  const counts = countRows(values.table);
  const older: OpenedValue[] = [];
  for (const value of page) {
    const key = seals.keyOf(value.sealed);
    const text = opened(seals, value, values.context(value.id));
    counts.of(key).rows++;
    if (text === undefined) counts.of(key).unreadable++;
    else if (key !== newest) older.push({ ...value, text });
  }
  const moved = dry_run || older.length === 0 ? [] : await values.reseal(db, seals, older);
  for (const before of moved) {
    counts.of(seals.keyOf(before)).rows--;
    counts.of(newest).rows++;
    counts.of(newest).moved++;
  }
  const last = page.length < limit ? undefined : page.at(-1)?.id;
  return { rows: counts.all(), next: nextCursor(values, last) };
}

/** Undefined where no key opens it: one that is not configured, or the value is not what was sealed. */
function opened(seals: Seals, { sealed }: SealedValue, context: string): string | undefined {
  try {
    return seals.open(sealed, context);
  } catch {
    return undefined;
  }
}

/** Of one table, by their keys. */
function countRows(table: string): { of(key: string): SealedRows; all(): SealedRows[] } {
  const counts = new Map<string, SealedRows>();
  return {
    of: (key) => {
      const known = counts.get(key) ?? { table, key, rows: 0, moved: 0, unreadable: 0 };
      counts.set(key, known);
      return known;
    },
    all: () => [...counts.values()].filter(({ rows }) => rows > 0),
  };
}

/** TABLE:ID, the place that the page follows. */
function readCursor(cursor: string | null): Pick<ResealQuery, 'values' | 'after'> {
  const [table, after = '', ...more] = (cursor ?? `${SEALED[0]?.table}:0`).split(':');
  const values = SEALED.find((one) => one.table === table);
  if (values === undefined || !isSnowflake(after) || more.length > 0) throw badRequest('after is no page.');
  return { values, after };
}

/** Of the same table after this ID, or of the next table. */
function nextCursor({ table }: SealedValues, last: string | undefined): string | undefined {
  if (last !== undefined) return `${table}:${last}`;
  const next = SEALED[SEALED.findIndex((one) => one.table === table) + 1];
  return next === undefined ? undefined : `${next.table}:0`;
}
