import type { Pool } from 'pg';
import type { Webhook } from '../generated/prisma/client.ts';
import type { PrismaClient } from './prisma.ts';
import { CREATOR_SUSPENDED } from './suspended-accounts.ts';

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

export const WEBHOOK_COLUMNS = 'id, guild_id, channel_id, name, avatar, token, creator_id';
const OMITTED = {
  created_at: true,
  revision: true,
  disabled_at: true,
  disabled_by: true,
  disabled_reason: true,
} as const;

/** SQL: whether requests with the webhook's token are refused. */
export const IS_REFUSED = `(disabled_at IS NOT NULL OR ${CREATOR_SUSPENDED})`;

export async function findWebhook(prisma: PrismaClient, id: string): Promise<WebhookRow | undefined> {
  const found = await prisma.webhook.findUnique({ where: { id: BigInt(id) }, omit: OMITTED });
  return found === null ? undefined : rowOf(found);
}

/** The webhooks of a channel, ordered by ID. A channel has few. */
export async function findWebhooksIn(prisma: PrismaClient, channelId: string): Promise<WebhookRow[]> {
  const where = { channel_id: BigInt(channelId) };
  const found = await prisma.webhook.findMany({ where, omit: OMITTED, orderBy: { id: 'asc' } });
  return found.map(rowOf);
}

type Found = Omit<Webhook, keyof typeof OMITTED>;

function rowOf(found: Found): WebhookRow {
  return {
    ...found,
    id: String(found.id),
    guild_id: String(found.guild_id),
    channel_id: String(found.channel_id),
    creator_id: String(found.creator_id),
  };
}

export function countGuildWebhooks(prisma: PrismaClient, guildId: string): Promise<number> {
  return prisma.webhook.count({ where: { guild_id: BigInt(guildId) } });
}

/** The webhooks of a guild in these channels, ordered by ID. */
export async function findGuildWebhooks(
  db: Pool,
  guildId: string,
  channelIds: readonly string[],
): Promise<WebhookRow[]> {
  const { rows } = await db.query<WebhookRow>({
    name: 'find_guild_webhooks',
    text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks
            WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) ORDER BY id`,
    values: [guildId, channelIds],
  });
  return rows;
}

/** A webhook, as its executions need it. */
export interface ExecutedWebhook extends WebhookRow {
  /** Whether its guild keeps payloads. */
  readonly keeps_payloads: boolean;
  /** Whether it is disabled, or its creator suspended. */
  readonly is_refused: boolean;
  /** The fence at this look-up (store/execution-fence.ts). */
  readonly fence: number;
}

/** The webhooks with these IDs, in the same order. Undefined where there is none. */
export async function findWebhooks(
  db: Pool,
  ids: readonly string[],
): Promise<readonly (ExecutedWebhook | undefined)[]> {
  const { rows } = await db.query<Omit<ExecutedWebhook, 'fence'> & { readonly fence: string }>({
    name: 'find_webhooks',
    text: `SELECT ${WEBHOOK_COLUMNS}, EXISTS (
             SELECT FROM payload_keepers WHERE payload_keepers.guild_id = webhooks.guild_id) AS keeps_payloads,
             ${IS_REFUSED} AS is_refused, (SELECT value FROM execution_fence) AS fence
             FROM webhooks WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((row) => [row.id, { ...row, fence: Number(row.fence) }]));
  return ids.map((id) => byId.get(id));
}

/** Deletes the webhooks of channels that are gone. */
export async function deleteWebhooksIn(db: Pool, channelIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'delete_webhooks_in',
    text: 'DELETE FROM webhooks WHERE channel_id = ANY ($1::bigint[])',
    values: [channelIds],
  });
}
