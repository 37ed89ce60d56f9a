import type { Membership } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { missingAccess, notFound } from '../errors.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { readChannel } from '../store/channels/channels.ts';
import { lockGuild } from '../store/guilds/guild-lock.ts';
import { accessGuild } from './access.ts';

/**
 * Changes a guild for a member: `work` has the guild to itself, so rights and limits are judged as they are, and
 * events get their places in the log in the order of the commits.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, and what `work` throws; then nothing is changed
 */
export function changeGuild<T>(
  deps: Pick<Deps, 'db' | 'eventsWritten'>,
  guildId: string,
  accountId: string,
  work: (tx: PoolClient, actor: Membership) => Promise<T>,
): Promise<T> {
  return eventTransaction(deps, async (tx) => {
    if (!(await lockGuild(tx, guildId))) throw notFound('guild');
    // In a statement of its own: what began before the lock was granted would not see what was committed meanwhile.
    return work(tx, await accessGuild(tx, guildId, accountId));
  });
}

/** The guild of a channel. @throws NOT_FOUND; `privately()` for a private channel, MISSING_ACCESS for who is not in it */
export async function guildOfChannel(
  { db }: Pick<Deps, 'db'>,
  channelId: string,
  accountId: string,
  privately: () => Error,
): Promise<string> {
  const channel = await readChannel(db, channelId);
  if (channel === undefined) throw notFound('channel');
  if (channel.guild_id != null) return channel.guild_id;
  throw channel.recipient_ids.includes(accountId) ? privately() : missingAccess();
}
