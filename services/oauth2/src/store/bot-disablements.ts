import { OUTBOX_RETRY_MS, type OutboxRows } from '@gatehouse/kit/outbox';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** Whether the bot of an application is disabled, for auth. */
export interface BotDisablement {
  readonly application_id: string;
  readonly disabled: boolean;
  /** Grows with each change of the application. */
  readonly version: number;
}

/** Replaces a change that auth has not received yet. */
export async function queueBotDisablement(
  tx: PoolClient,
  { application_id, disabled, version }: BotDisablement,
): Promise<void> {
  await tx.query({
    name: 'queue_bot_disablement',
    text: `INSERT INTO bot_disablements (application_id, disabled, version, next_attempt_at)
           VALUES ($1, $2, $3, now() + $4::double precision * interval '1 millisecond')
               ON CONFLICT (application_id) DO UPDATE
              SET disabled = excluded.disabled, version = excluded.version,
                  next_attempt_at = excluded.next_attempt_at`,
    values: [application_id, disabled, version, OUTBOX_RETRY_MS],
  });
}

/** The outbox of changes for auth. */
export function botDisablementRows(db: Pool, prisma: PrismaClient): OutboxRows<BotDisablement> {
  return {
    claim: (limit, retry_ms) => claimBotDisablements(db, limit, retry_ms),
    complete: (bot) => deleteBotDisablement(prisma, bot),
  };
}

async function claimBotDisablements(db: Pool, limit: number, retry_ms: number): Promise<BotDisablement[]> {
  const { rows } = await db.query<BotDisablement>({
    name: 'claim_bot_disablements',
    text: `WITH due AS MATERIALIZED (
             SELECT application_id FROM bot_disablements WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE bot_disablements AS bot
              SET next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE bot.application_id = due.application_id
        RETURNING bot.application_id, disabled, version::double precision AS version`,
    values: [limit, retry_ms],
  });
  return rows;
}

/** A later change of the same application stays. */
async function deleteBotDisablement(
  prisma: PrismaClient,
  { application_id, version }: BotDisablement,
): Promise<void> {
  await prisma.botDisablement.deleteMany({
    where: { application_id: BigInt(application_id), version: { lte: BigInt(version) } },
  });
}

/** Whether auth has not received the last change of an application yet. */
export async function isBotDisablementQueued(prisma: PrismaClient, application_id: string): Promise<boolean> {
  const where = { application_id: BigInt(application_id) };
  return (await prisma.botDisablement.findUnique({ where })) !== null;
}
