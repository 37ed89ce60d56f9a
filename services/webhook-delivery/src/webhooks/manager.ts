import { requireAccount } from '@gatehouse/kit/caller';
import { unavailable } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { AuthorizeWebhooksRequest } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { disabledWebhook, unknownWebhook } from '../errors.ts';
import { type ExecutedWebhook, findWebhook, type WebhookRow } from '../store/webhooks.ts';
import { changeWebhook } from './change-webhook.ts';
import { requireId } from './credential.ts';
import type { Actor } from './webhook-change.ts';

/** A request to a management route of a webhook. */
export interface ManagedRequest {
  readonly webhook_id: string;
  /** The destination of a move. */
  readonly channel_id?: string | null | undefined;
  /** X-Audit-Log-Reason. */
  readonly reason?: string | null | undefined;
  /** Whether the webhook is to be changed, which a disabled guild refuses. */
  readonly changes?: boolean;
}

/** A webhook, and the caller, who may manage it in its current channel. */
export interface ManagedWebhook<W extends WebhookRow = WebhookRow> {
  readonly webhook: W;
  readonly actor: Actor;
}

/** The webhook has left the channel of the permission check. */
class WebhookMoved extends Error {}

const AUTHORIZE_TIMEOUT_MS = 5_000;
/**
 * Of several concurrent moves one succeeds, and the others retry. This is more than the 20 that the rate limit allows at
 * once (docs/webhooks.md#management-routes).
 */
const MAX_ATTEMPTS = 32;

/** Checks that the caller may manage webhooks in the channel. @throws NOT_FOUND; FORBIDDEN; BAD_REQUEST; GUILD_DISABLED */
export async function authorizeManager(
  { chat }: Pick<Deps, 'chat'>,
  request: AuthorizeWebhooksRequest,
  call: Call,
): Promise<{ readonly guild_id: string; readonly actor: Actor }> {
  const account_id = requireAccount(call.caller);
  const options = { parent: call, timeoutMs: AUTHORIZE_TIMEOUT_MS };
  const { guild_id, reason = null } = await chat.authorizeWebhooks(request, options);
  return { guild_id, actor: { account_id, reason } };
}

/**
 * Returns the webhook if the caller may manage it (docs/webhooks.md#permissions).
 *
 * @throws UNAUTHORIZED; INVALID_FORM_BODY; NOT_FOUND; FORBIDDEN; BAD_REQUEST for a destination that takes no webhooks;
 *   GUILD_DISABLED for a change
 */
export function requireManagedWebhook(
  deps: Pick<Deps, 'prisma' | 'chat'>,
  request: ManagedRequest,
  call: Call,
): Promise<ManagedWebhook> {
  return findManagedWebhook(deps, request, call, (id) => findWebhook(deps.prisma, id));
}

/**
 * Returns the webhook if the caller may manage it and it can be executed.
 *
 * @throws those of `requireManagedWebhook`; FORBIDDEN if it is disabled, or its creator suspended
 */
export async function requireExecutableWebhook(
  deps: Pick<Deps, 'webhooks' | 'chat'>,
  request: ManagedRequest,
  call: Call,
): Promise<ExecutedWebhook> {
  const { webhook } = await findManagedWebhook(deps, request, call, (id) => deps.webhooks.find(id));
  if (webhook.is_refused) throw disabledWebhook();
  return webhook;
}

async function findManagedWebhook<W extends WebhookRow>(
  deps: Pick<Deps, 'chat'>,
  { webhook_id, channel_id: destination, reason = null, changes = false }: ManagedRequest,
  call: Call,
  find: (id: string) => Promise<W | undefined>,
): Promise<ManagedWebhook<W>> {
  requireAccount(call.caller);
  requireId('webhook_id', webhook_id);
  if (destination != null) requireId('channel_id', destination);
  const webhook = await find(webhook_id);
  if (webhook === undefined) throw unknownWebhook();
  const { channel_id } = webhook;
  const moves = destination != null && destination !== channel_id;
  const channels = moves ? { channel_id, destination_id: destination } : { channel_id };
  const { actor } = await authorizeManager(deps, { ...channels, reason, changes }, call);
  return { webhook, actor };
}

/**
 * Checks that the caller may manage webhooks in the guild. Returns whether they also have MANAGE_GUILD.
 *
 * @param changes whether the guild's settings are to be changed, which a disabled guild refuses
 * @throws UNAUTHORIZED; INVALID_FORM_BODY; NOT_FOUND; FORBIDDEN; GUILD_DISABLED
 */
export async function requireGuildManager(
  { chat }: Pick<Deps, 'chat'>,
  guild_id: string,
  changes: boolean,
  call: Call,
): Promise<{ readonly may_manage_guild: boolean }> {
  requireAccount(call.caller);
  requireId('guild_id', guild_id);
  return chat.listWebhookChannels({ guild_id, changes }, { parent: call, timeoutMs: AUTHORIZE_TIMEOUT_MS });
}

/**
 * Updates or deletes a webhook that the caller may manage (`changeWebhook`). If the webhook moved after the permission
 * check, the check is repeated.
 */
export async function changeManagedWebhook(
  deps: Pick<Deps, 'prisma' | 'chat' | 'db' | 'ids' | 'webhookChanges'>,
  managed: ManagedWebhook,
  request: ManagedRequest,
  call: Call,
  decide: (before: WebhookRow) => WebhookRow | undefined,
): Promise<WebhookRow> {
  let current = managed;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { webhook, actor } = current;
    try {
      return await changeWebhook(deps, webhook.id, actor, (before) => {
        if (before.channel_id !== webhook.channel_id) throw new WebhookMoved();
        return decide(before);
      });
    } catch (error) {
      if (!(error instanceof WebhookMoved)) throw error;
      current = await requireManagedWebhook(deps, request, call);
    }
  }
  throw unavailable(new Error('a webhook moved again and again during the permission checks'));
}
