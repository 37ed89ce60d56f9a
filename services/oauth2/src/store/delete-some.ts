import type { Pool, PoolClient } from 'pg';
import { byteaArray } from './bytea-array.ts';

/** Rows per statement: some milliseconds of work. */
export const STEP = 5_000;

/** The tables of users' grants, each with its key. */
const GRANT_TABLES = {
  authorization_codes: 'code_hash',
  refresh_tokens: 'token_hash',
  access_tokens: 'token_hash',
  consumed_grants: 'grant_hash',
} as const;
export type GrantTable = keyof typeof GRANT_TABLES;

/** Selects rows of any of the tables. */
export interface Doomed {
  /** SQL that selects the keys. */
  readonly keys: (table: GrantTable, key: string) => string;
  readonly values: readonly unknown[];
}

/**
 * Deletes up to STEP rows of a table, and returns how many it found. Concurrent calls may have deleted some of them
 * first. The rows are locked in the order of their keys, like everywhere. The keys make a round trip: in one joined
 * statement, PostgreSQL would compare each with each while its statistics say that the table is empty.
 */
export async function deleteSome(
  db: Pool | PoolClient,
  table: GrantTable,
  { keys, values }: Doomed,
): Promise<number> {
  const key = GRANT_TABLES[table];
  const { rows } = await db.query<[Buffer]>({
    text: `${keys(table, key)} LIMIT ${STEP}`,
    values: [...values],
    rowMode: 'array',
  });
  if (rows.length === 0) return 0;
  await db.query({
    text: `WITH held AS MATERIALIZED (
             SELECT FROM ${table} WHERE ${key} = ANY ($1::bytea[]) ORDER BY ${key} FOR UPDATE
           )
           DELETE FROM ${table} WHERE ${key} = ANY ($1::bytea[]) AND (SELECT count(*) FROM held) >= 0`,
    values: [byteaArray(rows.map(([hash]) => hash.toString('hex')))],
  });
  return rows.length;
}
