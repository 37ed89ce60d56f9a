import type { Pool, PoolClient } from 'pg';

/** Rows per statement: some milliseconds of work. */
export const STEP = 5_000;

/** The tables of what users grant, each with its key. */
export const GRANT_TABLES = {
  authorization_codes: 'code_hash',
  refresh_tokens: 'token_hash',
  access_tokens: 'token_hash',
  consumed_grants: 'grant_hash',
} as const;
export type GrantTable = keyof typeof GRANT_TABLES;

/** Rows to be deleted from any of the tables. */
export interface Doomed {
  /** SQL: the keys. */
  readonly keys: (table: GrantTable, key: string) => string;
  readonly values: readonly unknown[];
}

/**
 * Deletes up to STEP rows of a table, and returns how many it found. Others may have deleted some of them first. They are
 * locked in the order of their keys, as everybody does who locks several.
 *
 * The statement has no name, so it is planned each time: a plan from when the table was empty compares each row with each.
 */
export async function deleteSome(
  db: Pool | PoolClient,
  table: GrantTable,
  { keys, values }: Doomed,
): Promise<number> {
  const key = GRANT_TABLES[table];
  const { rows } = await db.query<{ found: number }>({
    text: `WITH doomed AS MATERIALIZED (
             ${keys(table, key)} LIMIT ${STEP}
           ), held AS MATERIALIZED (
             SELECT ${key} FROM ${table} WHERE ${key} IN (SELECT ${key} FROM doomed) ORDER BY ${key} FOR UPDATE
           ), gone AS (
             DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM held)
           )
           SELECT count(*)::int AS found FROM doomed`,
    values: [...values],
  });
  return rows[0]?.found ?? 0;
}
