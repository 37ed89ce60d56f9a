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

/** Uses up a live link. Returns its operator, or undefined. */
export async function useLink(tx: PoolClient, token_hash: Buffer): Promise<string | undefined> {
  const { rows } = await tx.query<{ operator: string }>({
    name: 'use_link',
    text: `DELETE FROM links WHERE token_hash = $1 AND created_at > now() - interval '1 hour' RETURNING operator`,
    values: [token_hash],
  });
  return rows[0]?.operator;
}
