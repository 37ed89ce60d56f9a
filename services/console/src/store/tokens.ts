import type { Pool, PoolClient } from 'pg';
import type { Role } from '../role.ts';

/** Sets the operator's token for the command line, which replaces the one before. */
export async function replaceToken(
  db: Pool | PoolClient,
  operator: string,
  token_hash: Buffer,
): Promise<void> {
  await db.query({
    name: 'replace_token',
    text: `INSERT INTO tokens (operator, token_hash) VALUES ($1, $2)
           ON CONFLICT (operator) DO UPDATE SET token_hash = $2, created_at = now()`,
    values: [operator, token_hash],
  });
}

/** The operator of a token, or undefined. */
export async function findToken(
  db: Pool,
  token_hash: Buffer,
): Promise<{ readonly name: string; readonly role: Role } | undefined> {
  const { rows } = await db.query<{ name: string; role: Role }>({
    name: 'find_token',
    text: `SELECT operators.name, operators.role FROM tokens JOIN operators ON operators.name = tokens.operator
            WHERE tokens.token_hash = $1`,
    values: [token_hash],
  });
  return rows[0];
}
