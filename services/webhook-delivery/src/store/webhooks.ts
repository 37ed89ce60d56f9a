import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';
import { MAX_PER_CHANNEL, MAX_PER_GUILD } from '../webhooks/webhook.ts';
import type { Records } from './records.ts';

export interface WebhookRow {
  readonly id: string;
  readonly guild_id: string;
  readonly channel_id: string;
  readonly name: string;
  /** The hash of a picture that media has published. */
  readonly avatar: string | null;
  readonly token: string;
  readonly creator_id: string;
}

export async function findWebhook(records: Records, id: string): Promise<WebhookRow | undefined> {
  const found = await records.webhook.findUnique({
    where: { id: BigInt(id) },
    omit: { created_at: true },
  });
  if (found === null) return undefined;
  return {
    ...found,
    id: String(found.id),
    guild_id: String(found.guild_id),
    channel_id: String(found.channel_id),
    creator_id: String(found.creator_id),
  };
}

/** The webhooks with these IDs, in their order, for executions; undefined where there is none. */
export async function findWebhooks(
  db: Pool,
  ids: readonly string[],
): Promise<readonly (WebhookRow | undefined)[]> {
  const { rows } = await db.query<WebhookRow>({
    name: 'find_webhooks',
    text: `SELECT id, guild_id, channel_id, name, avatar, token, creator_id
             FROM webhooks WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** Makes a webhook, unless its channel or its guild is full. */
export function insertWebhook(
  db: Pool,
  webhook: WebhookRow,
): Promise<'inserted' | 'channel_full' | 'guild_full'> {
  return inTransaction(db, async (tx) => {
    // Creations in one guild take turns, so that each counts all webhooks made before it.
    await tx.query({
      name: 'lock_webhooks_of_guild',
      text: `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of guild ' || $1::text, 0))`,
      values: [webhook.guild_id],
    });
    const { rows } = await tx.query<{ in_channel: number; in_guild: number }>({
      name: 'count_webhooks',
      text: `SELECT (count(*) FILTER (WHERE channel_id = $2))::integer AS in_channel,
                    count(*)::integer AS in_guild
               FROM webhooks WHERE guild_id = $1`,
      values: [webhook.guild_id, webhook.channel_id],
    });
    const { in_channel = 0, in_guild = 0 } = rows[0] ?? {};
    if (in_channel >= MAX_PER_CHANNEL) return 'channel_full';
    if (in_guild >= MAX_PER_GUILD) return 'guild_full';
    await tx.query({
      name: 'insert_webhook',
      text: `INSERT INTO webhooks (id, guild_id, channel_id, name, avatar, token, creator_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        webhook.id,
        webhook.guild_id,
        webhook.channel_id,
        webhook.name,
        webhook.avatar,
        webhook.token,
        webhook.creator_id,
      ],
    });
    return 'inserted';
  });
}

/** Deletes the webhooks of channels that are gone. */
export async function deleteWebhooksIn(db: Pool, channelIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'delete_webhooks_in',
    text: 'DELETE FROM webhooks WHERE channel_id = ANY ($1::bigint[])',
    values: [channelIds],
  });
}
