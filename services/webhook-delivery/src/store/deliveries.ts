import type { Pool } from 'pg';
import type { Delivery } from './delivery.ts';

export interface DeliveryRow extends Delivery {
  readonly at: Date;
}

export interface DeliveryCountRow extends Pick<Delivery, 'dialect' | 'outcome' | 'reason'> {
  readonly count: number;
}

/** Maximum deliveries of a webhook. Concurrent inserts may exceed it slightly. */
export const MAX_DELIVERIES = 500;

/** SQL: the retention of deliveries. */
const A_DAY = "interval '24 hours'";
const THIS_HOUR = "date_trunc('hour', now(), 'UTC')";

/**
 * Inserts and counts deliveries, and deletes the oldest of each webhook over the maximum. Concurrent statements lock
 * rows in the same order or skip locked ones, so they cannot deadlock.
 */
export async function insertDeliveries(db: Pool, deliveries: readonly Delivery[]): Promise<void> {
  await db.query({
    name: 'insert_deliveries',
    text: `WITH incoming AS MATERIALIZED (
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
               WITH ORDINALITY AS incoming (webhook_id, dialect, event, outcome, reason, position)),
           inserted AS (
             INSERT INTO deliveries (webhook_id, dialect, event, outcome, reason)
             SELECT webhook_id, dialect, event, outcome, reason FROM incoming ORDER BY position),
           counted AS (
             INSERT INTO delivery_counts AS counts (webhook_id, hour, dialect, outcome, reason, count)
             SELECT webhook_id, ${THIS_HOUR}, dialect, outcome, reason, count(*) FROM incoming
              GROUP BY webhook_id, dialect, outcome, reason
              ORDER BY webhook_id, dialect, outcome, reason
                 ON CONFLICT (webhook_id, hour, dialect, outcome, reason)
                 DO UPDATE SET count = counts.count + excluded.count)
           DELETE FROM deliveries WHERE id = ANY (ARRAY(
             SELECT id FROM deliveries
              WHERE id = ANY (ARRAY(
                SELECT surplus.id
                  FROM (SELECT webhook_id, count(*) AS added FROM incoming GROUP BY webhook_id) AS webhook
                 CROSS JOIN LATERAL (
                   SELECT id FROM deliveries AS old WHERE old.webhook_id = webhook.webhook_id
                    ORDER BY id DESC OFFSET greatest($6 - webhook.added, 0)) AS surplus))
                FOR UPDATE SKIP LOCKED))`,
    values: [
      deliveries.map(({ webhook_id }) => webhook_id),
      deliveries.map(({ dialect }) => dialect),
      deliveries.map(({ event }) => event),
      deliveries.map(({ outcome }) => outcome),
      deliveries.map(({ reason }) => reason),
      MAX_DELIVERIES,
    ],
  });
}

/** The deliveries of the last 24 hours, newest first. */
export async function findDeliveries(db: Pool, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find_deliveries',
    text: `SELECT webhook_id, at, dialect, event, outcome, reason FROM deliveries
            WHERE webhook_id = $1 AND at > now() - ${A_DAY} ORDER BY id DESC LIMIT $2`,
    values: [webhookId, limit],
  });
  return rows;
}

/** Counts of this hour and the 23 before it, highest first. */
export async function countDeliveries(db: Pool, webhookId: string): Promise<DeliveryCountRow[]> {
  const { rows } = await db.query<DeliveryCountRow>({
    name: 'count_deliveries',
    text: `SELECT dialect, outcome, reason, sum(count)::integer AS count FROM delivery_counts
            WHERE webhook_id = $1 AND hour > ${THIS_HOUR} - ${A_DAY}
            GROUP BY dialect, outcome, reason
            ORDER BY sum(count) DESC, dialect, outcome, reason`,
    values: [webhookId],
  });
  return rows;
}
