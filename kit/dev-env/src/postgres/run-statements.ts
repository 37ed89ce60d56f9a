import { openPool } from '@gatehouse/kit/db/pool';

export type Statement = string | readonly [sql: string, values: unknown[]];

/** Filling a large table takes minutes. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** Runs statements at a database, one after the other. */
export async function runStatements(database_url: string, statements: readonly Statement[]): Promise<void> {
  const pool = openPool({
    database_url,
    application_name: 'statements',
    max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  try {
    for (const statement of statements) {
      const [sql, values = []] = typeof statement === 'string' ? [statement] : statement;
      await pool.query(sql, values);
    }
  } finally {
    await pool.end();
  }
}
