import { readFile } from 'node:fs/promises';
import { createDatabase } from '@gatehouse/kit/db/create-database';
import { withClient } from '@gatehouse/kit/db/with-client';
import pg from 'pg';

export interface RestoreOptions {
  /** Names a database that does not exist yet. */
  readonly database_url: string;
  /** The output of dumpDatabase. */
  readonly file: string;
  /** The time of the dump. */
  readonly dumped_at: Date;
}

/**
 * Creates a database from a dump, and shifts its times to the present. Otherwise the tokens in it would expire, and the
 * tests that use them would fail.
 */
export async function restoreDatabase({ database_url, file, dumped_at }: RestoreOptions): Promise<void> {
  await createDatabase(database_url);
  await withClient({ connectionString: database_url }, async (client) => {
    await client.query(await readFile(file, 'utf8'));
    await moveTimes(client, Date.now() - dumped_at.getTime());
    const { rowCount } = await client.query(
      "SELECT to_regclass('event_log_horizon') WHERE to_regclass('event_log_horizon') IS NOT NULL",
    );
    if (rowCount === 1) await client.query('UPDATE event_log_horizon SET xact_id = pg_current_xact_id()');
  });
}

async function moveTimes(client: pg.Client, by_ms: number): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; is_array: boolean }>(`
    SELECT table_name AS table, column_name AS column, data_type = 'ARRAY' AS is_array
      FROM information_schema.columns
     WHERE table_schema = 'public' AND udt_name IN ('timestamptz', '_timestamptz')`);
  const interval = `interval '${by_ms} milliseconds'`;
  for (const { table, column, is_array } of rows) {
    const name = pg.escapeIdentifier(column);
    const moved = is_array
      ? `ARRAY(SELECT one + ${interval} FROM unnest(${name}) WITH ORDINALITY AS t (one, nth) ORDER BY nth)`
      : `${name} + ${interval}`;
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(`UPDATE ${table} SET ${name} = ${moved} WHERE ${name} IS NOT NULL`);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
}
