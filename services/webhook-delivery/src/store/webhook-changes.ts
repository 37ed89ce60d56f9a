import { OUTBOX_RETRY_MS, type OutboxRows } from '@gatehouse/kit/outbox';
import type { RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** SQL: the time of the next attempt, until which no replica sends the change again. */
const NEXT_ATTEMPT = "now() + $2::double precision * interval '1 millisecond'";

/** Inserts a change into the outbox, in the transaction that makes the change. */
export async function insertWebhookChange(tx: PoolClient, change: RecordWebhookChangeRequest): Promise<void> {
  await tx.query({
    name: 'insert_webhook_change',
    text: `INSERT INTO webhook_changes (id, next_attempt_at, change) VALUES ($1, ${NEXT_ATTEMPT}, $3)`,
    values: [change.id, OUTBOX_RETRY_MS, change],
  });
}

/** The outbox of changes that chat has not received. */
export function webhookChangeRows(db: Pool, prisma: PrismaClient): OutboxRows<RecordWebhookChangeRequest> {
  return {
    claim: (limit, retry_ms) => claimWebhookChanges(db, limit, retry_ms),
    complete: (change) => deleteWebhookChange(prisma, change),
  };
}

async function claimWebhookChanges(
  db: Pool,
  limit: number,
  retry_ms: number,
): Promise<RecordWebhookChangeRequest[]> {
  const { rows } = await db.query<{ change: RecordWebhookChangeRequest }>({
    name: 'claim_webhook_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT id FROM webhook_changes WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE webhook_changes SET next_attempt_at = ${NEXT_ATTEMPT}
             FROM due WHERE webhook_changes.id = due.id
        RETURNING change`,
    values: [limit, retry_ms],
  });
  return rows.map(({ change }) => change);
}

async function deleteWebhookChange(prisma: PrismaClient, { id }: RecordWebhookChangeRequest): Promise<void> {
  await prisma.webhookChange.deleteMany({ where: { id: BigInt(id) } });
}
