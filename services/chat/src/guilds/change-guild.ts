import type { Membership } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { guildDisabled, missingAccess, notFound } from '../errors.ts';
import { type EventDeps, eventTransaction } from '../events/event-transaction.ts';
import { findChannel } from '../store/channels/channels.ts';
import { lockGuild } from '../store/guilds/guild-lock.ts';
import { accessGuild } from './access.ts';

export interface ChangeOptions {
  /** Whether the change is possible in a disabled guild too. */
  readonly even_if_disabled?: boolean;
}

/**
 * Changes a guild for a member. `work` runs with the guild locked, so that permissions and limits are current, and
 * events are logged in commit order.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, GUILD_DISABLED, and the errors of `work`; then nothing changes
 */
export function changeGuild<T>(
  deps: EventDeps,
  guildId: string,
  accountId: string,
  work: (tx: PoolClient, actor: Membership) => Promise<T>,
  { even_if_disabled = false }: ChangeOptions = {},
): Promise<T> {
  return eventTransaction(deps, async (tx) => {
    const guild = await lockGuild(tx, guildId);
    if (guild === undefined) throw notFound('guild');
    // A separate statement: one that started before the lock was granted would miss changes committed meanwhile.
    const actor = await accessGuild(tx, guildId, accountId);
    if (guild.is_disabled && !even_if_disabled) throw guildDisabled();
    return work(tx, actor);
  });
}

/**
 * Returns the channel's guild.
 *
 * @throws NOT_FOUND; `privateError()` for a recipient of a private channel, MISSING_ACCESS for other accounts
 */
export async function guildOfChannel(
  { db }: Pick<Deps, 'db'>,
  channelId: string,
  accountId: string,
  privateError: () => Error,
): Promise<string> {
  const channel = await findChannel(db, channelId);
  if (channel === undefined) throw notFound('channel');
  if (channel.guild_id != null) return channel.guild_id;
  throw channel.recipient_ids.includes(accountId) ? privateError() : missingAccess();
}
