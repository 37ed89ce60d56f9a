import type { Pool } from 'pg';

/** Every row of every table, as text. */
export async function everyRow(db: Pool): Promise<string> {
  const { rows: tables } = await db.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const dumps = await Promise.all(
    tables.map(({ name }) => db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)),
  );
  return dumps.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
}
