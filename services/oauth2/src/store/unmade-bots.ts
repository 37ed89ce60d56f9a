import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** A bot that may exist although its application was not created. */
export interface UnmadeBot {
  readonly application_id: string;
  readonly owner_id: string;
}

/** Claims bots that are due for deletion, longest waiting first, for `retry_ms`. */
export async function claimUnmadeBots(db: Pool, limit: number, retry_ms: number): Promise<UnmadeBot[]> {
  const { rows } = await db.query<UnmadeBot>({
    name: 'claim_unmade_bots',
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
export async function forgetUnmadeBot(prisma: PrismaClient, application_id: string): Promise<void> {
  await prisma.unmadeBot.deleteMany({ where: { application_id: BigInt(application_id) } });
}
