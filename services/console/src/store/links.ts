import type { Pool, PoolClient } from 'pg';

/** Sets the operator's one-time link, which replaces the one before. */
export async function replaceLink(
  db: Pool | PoolClient,
  operator: string,
  token_hash: Buffer,
): Promise<void> {
  await db.query({
    name: 'replace_link',
    text: `INSERT INTO links (operator, token_hash) VALUES ($1, $2)
           ON CONFLICT (operator) DO UPDATE SET token_hash = $2, created_at = now()`,
    values: [operator, token_hash],
  });
}

const IS_LIVE = `created_at > now() - interval '1 hour'`;

/** The operator of a live link, or undefined. */
export async function findLink(tx: PoolClient, token_hash: Buffer): Promise<string | undefined> {
  const { rows } = await tx.query<{ operator: string }>({
    name: 'find_link',
    text: `SELECT operator FROM links WHERE token_hash = $1 AND ${IS_LIVE}`,
    values: [token_hash],
  });
  return rows[0]?.operator;
}

/** Uses up a live link. Returns false if there is none any more. */
export async function useLink(tx: PoolClient, token_hash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_link',
    text: `DELETE FROM links WHERE token_hash = $1 AND ${IS_LIVE}`,
    values: [token_hash],
  });
  return rowCount === 1;
}
