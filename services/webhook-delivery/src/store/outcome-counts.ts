import type { Pool } from 'pg';
import { ADMIN_COLUMNS, type AdminWebhookRow } from './admin-webhooks.ts';

/** Executions of a webhook by outcome, in this hour and the one before it. */
export interface OutcomeCounts {
  readonly posted: number;
  readonly nothing: number;
  /** Those that the edge turned away are among them. */
  readonly refused: number;
  readonly duplicate: number;
}

export interface NoisyWebhookRow extends AdminWebhookRow, OutcomeCounts {
  /** Null: it posted nothing in the last 24 hours. */
  readonly last_posted_at: Date | null;
}

/** SQL: the counts of `delivery_counts`. Above 2^53 they lose digits. */
const COUNTS = `
  coalesce(sum(count) FILTER (WHERE outcome = 'posted'), 0)::float8 AS posted,
  coalesce(sum(count) FILTER (WHERE outcome = 'nothing'), 0)::float8 AS nothing,
  coalesce(sum(count) FILTER (WHERE outcome IN ('refused', 'turned_away')), 0)::float8 AS refused,
  coalesce(sum(count) FILTER (WHERE outcome = 'duplicate'), 0)::float8 AS duplicate`;
const THESE_TWO_HOURS = "hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'";

export async function countOutcomes(db: Pool, webhookId: string): Promise<OutcomeCounts> {
  const { rows } = await db.query<OutcomeCounts>({
    name: 'count_outcomes',
    text: `SELECT ${COUNTS} FROM delivery_counts WHERE webhook_id = $1 AND ${THESE_TWO_HOURS}`,
    values: [webhookId],
  });
  return rows[0] ?? { posted: 0, nothing: 0, refused: 0, duplicate: 0 };
}

/** The webhooks with the most executions, the noisiest first. */
export async function findNoisyWebhooks(db: Pool, limit: number): Promise<NoisyWebhookRow[]> {
  const { rows } = await db.query<NoisyWebhookRow>({
    name: 'find_noisy_webhooks',
    text: `WITH noisy AS MATERIALIZED (
             SELECT webhook_id, sum(count) AS total, ${COUNTS} FROM delivery_counts
              WHERE ${THESE_TWO_HOURS} AND EXISTS (SELECT FROM webhooks WHERE id = webhook_id)
              GROUP BY webhook_id ORDER BY total DESC, webhook_id DESC LIMIT $1)
           SELECT ${ADMIN_COLUMNS}, posted, nothing, refused, duplicate,
                  (SELECT at FROM deliveries
                    WHERE deliveries.webhook_id = webhooks.id AND log = 'posted' AND at > now() - interval '24 hours'
                    ORDER BY deliveries.id DESC LIMIT 1) AS last_posted_at
             FROM noisy JOIN webhooks ON webhooks.id = noisy.webhook_id
            ORDER BY total DESC, webhook_id DESC`,
    values: [limit],
  });
  return rows;
}
