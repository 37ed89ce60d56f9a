import type { OperatorAction } from '@gatehouse/kit/operator-form';
import type { Pool, PoolClient } from 'pg';
import { CREATOR_SUSPENDED } from './suspended-accounts.ts';

/** A webhook as operators see it: without its token. */
export interface AdminWebhookRow {
  readonly id: string;
  readonly guild_id: string;
  readonly channel_id: string;
  readonly creator_id: string;
  readonly name: string;
  /** Null: enabled. */
  readonly disabled_at: Date | null;
  readonly disabled_by: string | null;
  readonly disabled_reason: string | null;
  readonly creator_suspended: boolean;
}

/** SQL: the columns of an AdminWebhookRow. */
export const ADMIN_COLUMNS = `webhooks.id, webhooks.guild_id, webhooks.channel_id, webhooks.creator_id, webhooks.name,
  webhooks.disabled_at, webhooks.disabled_by, webhooks.disabled_reason, ${CREATOR_SUSPENDED} AS creator_suspended`;

/** A page of webhooks, newest first. */
export interface WebhookPage {
  /** Only smaller IDs. */
  readonly before: string;
  readonly limit: number;
}

export async function findNewestWebhooks(
  db: Pool,
  { before, limit }: WebhookPage,
): Promise<AdminWebhookRow[]> {
  const { rows } = await db.query<AdminWebhookRow>({
    name: 'find_newest_webhooks',
    text: `SELECT ${ADMIN_COLUMNS} FROM webhooks WHERE id < $1 ORDER BY id DESC LIMIT $2`,
    values: [before, limit],
  });
  return rows;
}

/** SQL: the last character of Unicode, which follows the prefix in every name that is after its names. */
const LAST_CHARACTER = 'chr(1114111)';

/** Bounds the work of a short prefix. */
const MAX_NAMES = 10_000;

/** What a query can match. */
export interface WebhookQuery {
  /** The start of a name. Case does not matter. */
  readonly name: string;
  /** The ID of a webhook, or of its guild, channel or creator. Null: the query is no ID. */
  readonly id: string | null;
}

/** The webhooks that a query matches, newest first; of names, the first 10,000 in their order. Each part reads its own index. */
export async function searchWebhooks(
  db: Pool,
  { name, id }: WebhookQuery,
  { before, limit }: WebhookPage,
): Promise<AdminWebhookRow[]> {
  const { rows } = await db.query<AdminWebhookRow>({
    name: 'search_webhooks',
    text: `WITH found AS (
             (SELECT id FROM webhooks
               WHERE lower(name) ~>=~ lower($1) AND lower(name) ~<~ (lower($1) || ${LAST_CHARACTER})
               ORDER BY lower(name) USING ~<~ LIMIT ${MAX_NAMES})
              UNION SELECT id FROM webhooks WHERE id = $2::bigint
              UNION SELECT id FROM webhooks WHERE guild_id = $2::bigint
              UNION SELECT id FROM webhooks WHERE channel_id = $2::bigint
              UNION SELECT id FROM webhooks WHERE creator_id = $2::bigint),
           page AS MATERIALIZED (SELECT id FROM found WHERE id < $3 ORDER BY id DESC LIMIT $4)
           SELECT ${ADMIN_COLUMNS} FROM page JOIN webhooks USING (id) ORDER BY id DESC`,
    values: [name, id, before, limit],
  });
  return rows;
}

/** The webhooks of these creators, newest first. */
export async function findWebhooksOfCreators(
  db: Pool,
  creator_ids: readonly string[],
  { before, limit }: WebhookPage,
): Promise<AdminWebhookRow[]> {
  const { rows } = await db.query<AdminWebhookRow>({
    name: 'find_webhooks_of_creators',
    text: `WITH page AS MATERIALIZED (
             SELECT owned.id
               FROM (SELECT DISTINCT creator FROM unnest($1::bigint[]) AS creator) AS creators,
                    LATERAL (SELECT id FROM webhooks WHERE creator_id = creator AND id < $2
                              ORDER BY id DESC LIMIT $3) AS owned
              ORDER BY owned.id DESC LIMIT $3)
           SELECT ${ADMIN_COLUMNS} FROM page JOIN webhooks USING (id) ORDER BY id DESC`,
    values: [creator_ids, before, limit],
  });
  return rows;
}

export async function findAdminWebhook(db: Pool, id: string): Promise<AdminWebhookRow | undefined> {
  const { rows } = await db.query<AdminWebhookRow>({
    name: 'find_admin_webhook',
    text: `SELECT ${ADMIN_COLUMNS} FROM webhooks WHERE id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Locks a webhook until the transaction ends. */
export async function lockAdminWebhook(tx: PoolClient, id: string): Promise<AdminWebhookRow | undefined> {
  const { rows } = await tx.query<AdminWebhookRow>({
    name: 'lock_admin_webhook',
    text: `SELECT ${ADMIN_COLUMNS} FROM webhooks WHERE id = $1 FOR UPDATE`,
    values: [id],
  });
  return rows[0];
}

/** Disables a locked webhook. One that is disabled keeps its time, and gets this operator and reason. */
export async function disableWebhookRow(
  tx: PoolClient,
  id: string,
  { operator, reason }: OperatorAction,
): Promise<AdminWebhookRow | undefined> {
  const { rows } = await tx.query<AdminWebhookRow>({
    name: 'disable_webhook',
    text: `UPDATE webhooks SET disabled_at = coalesce(disabled_at, now()), disabled_by = $2, disabled_reason = $3
            WHERE id = $1 RETURNING ${ADMIN_COLUMNS}`,
    values: [id, operator, reason],
  });
  return rows[0];
}

/** Enables a locked webhook. */
export async function enableWebhookRow(tx: PoolClient, id: string): Promise<AdminWebhookRow | undefined> {
  const { rows } = await tx.query<AdminWebhookRow>({
    name: 'enable_webhook',
    text: `UPDATE webhooks SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL
            WHERE id = $1 RETURNING ${ADMIN_COLUMNS}`,
    values: [id],
  });
  return rows[0];
}
