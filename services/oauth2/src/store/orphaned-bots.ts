import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** A bot that auth may have although its application was not created. The table is `unmade_bots`. */
export interface OrphanedBot {
  readonly application_id: string;
  readonly owner_id: string;
}

/** Claims the longest waiting bots that are due for deletion. Each is due again after `retry_ms`. */
export async function claimOrphanedBots(db: Pool, limit: number, retry_ms: number): Promise<OrphanedBot[]> {
  const { rows } = await db.query<OrphanedBot>({
    name: 'claim_orphaned_bots',
    text: `WITH due AS MATERIALIZED (
             SELECT application_id FROM unmade_bots WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE unmade_bots SET next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE unmade_bots.application_id = due.application_id
        RETURNING unmade_bots.application_id, owner_id`,
    values: [limit, retry_ms],
  });
  return rows;
}

/** Deletes the row once auth has no such bot. */
export async function deleteOrphanedBotRow(prisma: PrismaClient, application_id: string): Promise<void> {
  await prisma.orphanedBot.deleteMany({ where: { application_id: BigInt(application_id) } });
}
