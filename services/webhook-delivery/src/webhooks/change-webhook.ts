import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { tooManyWebhooks, unknownWebhook, wrongToken } from '../errors.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  isTokenRefused,
  lockWebhook,
  lockWebhookCounts,
  updateWebhookRow,
} from '../store/change-webhooks.ts';
import { insertWebhookChange } from '../store/webhook-changes.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { MAX_PER_CHANNEL, MAX_PER_GUILD } from './webhook.ts';
import { type Actor, changesBetween, type WebhookStates, webhookChange } from './webhook-change.ts';

type ChangeDeps = Pick<Deps, 'db' | 'ids' | 'webhookChanges'>;

/** Creates a webhook. @throws BAD_REQUEST if its channel or its guild is full */
export async function addWebhook(deps: ChangeDeps, webhook: WebhookRow, actor: Actor): Promise<void> {
  const change = await inTransaction(deps.db, async (tx) => {
    await lockWebhookCounts(tx, webhook.guild_id);
    await requireCapacity(tx, webhook, 'create');
    await insertWebhook(tx, webhook);
    return queueChange(tx, deps, 1, { before: undefined, after: webhook }, actor);
  });
  await deps.webhookChanges.send([change]);
}

/**
 * Updates or deletes a webhook while its row is locked.
 *
 * @param actor undefined for a request with the webhook's token
 * @param decide returns the new state of the webhook; undefined deletes it. If it throws, nothing changes.
 * @returns the webhook as it is now, or as it was when it was deleted
 * @throws NOT_FOUND; UNAUTHORIZED if the token is refused; BAD_REQUEST if it moves to a channel that is full
 */
export async function changeWebhook(
  deps: ChangeDeps,
  id: string,
  actor: Actor | undefined,
  decide: (before: WebhookRow) => WebhookRow | undefined,
): Promise<WebhookRow> {
  const { webhook, change } = await inTransaction(deps.db, async (tx) => {
    const before = await lockWebhook(tx, id);
    if (before === undefined) throw unknownWebhook();
    if (actor === undefined && (await isTokenRefused(tx, before))) throw wrongToken();
    const after = decide(before);
    if (after !== undefined && changesBetween(before, after).length === 0) return { webhook: before };
    const revision =
      after === undefined ? await deleteWebhookRow(tx, before) : await storeUpdate(tx, before, after);
    const change = await queueChange(tx, deps, revision, { before, after }, actor);
    return { webhook: after ?? before, change };
  });
  if (change !== undefined) await deps.webhookChanges.send([change]);
  return webhook;
}

async function storeUpdate(tx: PoolClient, before: WebhookRow, after: WebhookRow): Promise<number> {
  if (after.channel_id !== before.channel_id) {
    await lockWebhookCounts(tx, after.guild_id);
    await requireCapacity(tx, after, 'move');
  }
  return updateWebhookRow(tx, after);
}

/**
 * Checks that the channel can take one more webhook, and for a new one also the guild. Only reliable while the counts
 * are locked.
 *
 * @throws BAD_REQUEST
 */
export async function requireCapacity(
  db: Pool | PoolClient,
  { guild_id, channel_id }: Pick<WebhookRow, 'guild_id' | 'channel_id'>,
  action: 'create' | 'move',
): Promise<void> {
  const { in_channel, in_guild } = await countWebhooks(db, guild_id, channel_id);
  if (in_channel >= MAX_PER_CHANNEL) throw tooManyWebhooks('channel', MAX_PER_CHANNEL);
  if (action === 'create' && in_guild >= MAX_PER_GUILD) throw tooManyWebhooks('guild', MAX_PER_GUILD);
}

async function queueChange(
  tx: PoolClient,
  { ids }: ChangeDeps,
  revision: number,
  states: WebhookStates,
  actor: Actor | undefined,
) {
  const change = webhookChange(ids(), revision, states, actor);
  await insertWebhookChange(tx, change);
  return change;
}
