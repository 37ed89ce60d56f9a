import type { Pool } from 'pg';

/** Removes claims that no longer hold. A key is free after 24 hours with or without this. */
export async function forgetExpiredClaims(db: Pool): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM deduplication_claims WHERE claimed_at <= now() - interval '24 hours'`,
  );
  return rowCount ?? 0;
}
