import type { Pool, PoolClient } from 'pg';
import { byteaArray } from './bytea-array.ts';

/** Maximum rows per statement: some milliseconds of work. */
export const CHUNK_ROWS = 5_000;

const KEYS = {
  authorization_codes: 'code_hash',
  refresh_tokens: 'token_hash',
  access_tokens: 'token_hash',
  consumed_grants: 'grant_hash',
} as const;
export type TokenTable = keyof typeof KEYS;

/**
 * The tables of codes and tokens, live and consumed, in the order of deletion: once codes and refresh tokens are gone,
 * no exchange can add rows to the later tables.
 */
export const TOKEN_TABLES: readonly TokenTable[] = [
  'authorization_codes',
  'refresh_tokens',
  'access_tokens',
  'consumed_grants',
];

/** Selects rows of any of these tables. */
export interface TokenSelection {
  /** SQL that selects the keys. */
  readonly keys: (table: TokenTable, key: string) => string;
  readonly values: readonly unknown[];
}

/**
 * Deletes up to CHUNK_ROWS rows of a table, and returns how many it found. Concurrent calls may have deleted some of
 * them first. The rows are locked in the order of their keys, the common lock order. The keys make a round trip,
 * because in one joined statement PostgreSQL would compare each key with each row while its statistics say that the
 * table is empty.
 */
export async function deleteChunk(
  db: Pool | PoolClient,
  table: TokenTable,
  { keys, values }: TokenSelection,
): Promise<number> {
  const key = KEYS[table];
  const { rows } = await db.query<[Buffer]>({
    text: `${keys(table, key)} LIMIT ${CHUNK_ROWS}`,
    values: [...values],
    rowMode: 'array',
  });
  if (rows.length === 0) return 0;
  await db.query({
    // The count makes PostgreSQL lock all rows before it deletes the first.
    text: `WITH locked AS MATERIALIZED (
             SELECT FROM ${table} WHERE ${key} = ANY ($1::bytea[]) ORDER BY ${key} FOR UPDATE
           )
           DELETE FROM ${table} WHERE ${key} = ANY ($1::bytea[]) AND (SELECT count(*) FROM locked) >= 0`,
    values: [byteaArray(rows.map(([hash]) => hash.toString('hex')))],
  });
  return rows.length;
}
