import type { Pool } from 'pg';
import type { DeliveryRecord, Dialect, Payload } from './delivery.ts';

/** A kept payload, and the format of its delivery. */
export interface KeptPayload extends Payload {
  readonly dialect: Dialect;
}

/** Slots of a webhook's ring: half of its payloads belong to deliveries that posted a message. */
export const RING_SLOTS = 50;

/** Payloads that one statement deletes: each has up to 64 KiB. */
const DELETED_AT_ONCE = 500;

/** SQL: whether a payload can be used: for 24 hours, as long as its guild keeps payloads. */
export const IS_KEPT = `payload.kept_at > now() - interval '24 hours' AND EXISTS (
    SELECT FROM payload_keepers AS keeper
     WHERE keeper.guild_id = payload.guild_id AND keeper.enabled_at <= payload.kept_at)`;

/**
 * Keeps payloads of webhooks whose guild keeps them. Each takes the place of the oldest in its webhook's ring, so a
 * webhook has at most 100 under any concurrency. The share lock makes switching off wait until they are stored, so that
 * it deletes them too.
 */
export async function keepPayloads(db: Pool, records: readonly DeliveryRecord[]): Promise<void> {
  const kept = records.flatMap(({ delivery, payload }) => (payload ? [{ delivery, payload }] : []));
  if (kept.length === 0) return;
  await db.query({
    name: 'keep_payloads',
    text: `WITH incoming AS MATERIALIZED (
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::text[], $5::text[], $6::bytea[])
               WITH ORDINALITY AS incoming (delivery_id, webhook_id, posted, content_type, event, body, position)),
           keepers AS MATERIALIZED (
             SELECT webhooks.id AS webhook_id, webhooks.guild_id
               FROM webhooks JOIN payload_keepers ON payload_keepers.guild_id = webhooks.guild_id
              WHERE webhooks.id = ANY ($2) ORDER BY webhooks.id
                FOR KEY SHARE OF webhooks FOR SHARE OF payload_keepers),
           numbered AS MATERIALIZED (
             SELECT incoming.*, keepers.guild_id,
                    row_number() OVER (PARTITION BY webhook_id, posted ORDER BY position DESC) AS from_last
               FROM incoming JOIN keepers USING (webhook_id)),
           rings AS (
             INSERT INTO payload_rings AS ring (webhook_id, posted, next_slot)
             SELECT webhook_id, posted, count(*) FROM numbered GROUP BY webhook_id, posted ORDER BY webhook_id, posted
                 ON CONFLICT (webhook_id, posted) DO UPDATE SET next_slot = ring.next_slot + excluded.next_slot
          RETURNING webhook_id, posted, next_slot)
           INSERT INTO delivery_payloads (webhook_id, posted, slot, delivery_id, guild_id, content_type, event, body)
           SELECT webhook_id, posted, (next_slot - from_last) % ${RING_SLOTS}, delivery_id, guild_id, content_type,
                  event, body
             FROM numbered JOIN rings USING (webhook_id, posted) WHERE from_last <= ${RING_SLOTS}
               ON CONFLICT (webhook_id, posted, slot)
               DO UPDATE SET delivery_id = excluded.delivery_id, guild_id = excluded.guild_id, kept_at = now(),
                             content_type = excluded.content_type, event = excluded.event, body = excluded.body`,
    values: [
      kept.map(({ delivery }) => delivery.id),
      kept.map(({ delivery }) => delivery.webhook_id),
      kept.map(({ delivery }) => delivery.outcome === 'posted'),
      kept.map(({ payload }) => payload.content_type),
      kept.map(({ payload }) => payload.event),
      kept.map(({ payload }) => Buffer.from(payload.body)),
    ],
  });
}

/** Undefined if the delivery is no one of this webhook, or its payload is not kept. */
export async function findPayload(
  db: Pool,
  webhookId: string,
  deliveryId: string,
): Promise<KeptPayload | undefined> {
  const { rows } = await db.query<KeptPayload>({
    name: 'find_payload',
    text: `SELECT deliveries.dialect, payload.content_type, payload.event, payload.body
             FROM delivery_payloads AS payload JOIN deliveries ON deliveries.id = payload.delivery_id
            WHERE payload.delivery_id = $2 AND payload.webhook_id = $1 AND ${IS_KEPT}`,
    values: [webhookId, deliveryId],
  });
  return rows[0];
}

export async function keepsPayloads(db: Pool, guildId: string): Promise<boolean> {
  const { rows } = await db.query<{ kept: boolean }>({
    name: 'keeps_payloads',
    text: 'SELECT EXISTS (SELECT FROM payload_keepers WHERE guild_id = $1) AS kept',
    values: [guildId],
  });
  return rows[0]?.kept === true;
}

/** From now on the guild's webhooks keep payloads. */
export async function startKeepingPayloads(db: Pool, guildId: string): Promise<void> {
  await db.query({
    name: 'start_keeping_payloads',
    text: 'INSERT INTO payload_keepers (guild_id) VALUES ($1) ON CONFLICT DO NOTHING',
    values: [guildId],
  });
}

/**
 * From now on the guild's webhooks keep nothing, and nothing kept can be used: the first statement waits for deliveries
 * under way. Then deletes what they have kept until now, which can be gigabytes, part by part.
 */
export async function stopKeepingPayloads(db: Pool, guildId: string): Promise<void> {
  const { rows } = await db.query<{ stopped_at: string }>({
    name: 'stop_keeping_payloads',
    text: `WITH stopped AS (DELETE FROM payload_keepers WHERE guild_id = $1 RETURNING guild_id)
           SELECT clock_timestamp()::text AS stopped_at FROM (SELECT count(*) FROM stopped) AS done`,
    values: [guildId],
  });
  const stopped_at = rows[0]?.stopped_at;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
    const { rowCount } = await db.query({
      name: 'delete_payloads',
      text: `DELETE FROM delivery_payloads WHERE (webhook_id, posted, slot) IN (
               SELECT webhook_id, posted, slot FROM delivery_payloads
                WHERE guild_id = $1 AND kept_at <= $2
                ORDER BY webhook_id, posted, slot LIMIT ${DELETED_AT_ONCE} FOR UPDATE)`,
      values: [guildId, stopped_at],
    });
    deleted = rowCount ?? 0;
  }
}
