import { holds, Permission } from '@gatehouse/chat-client/permissions';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { guildDisabled, missingPermissions, notFound } from '../errors.ts';
import { accessChannel, type ChannelAccess } from '../guilds/access.ts';
import { lockChannel } from '../store/channels/channel-lock.ts';
import { type PostOutcome, postMessage } from '../store/messages/post-messages.ts';
import type { Mentions } from './mentions.ts';
import { notifiedMentions } from './notified-mentions.ts';

/** Attempts without the guild's lock, which is expensive in a busy guild. */
const ATTEMPTS = 3;

/** An account's message, and the data for its checks. */
interface Draft {
  readonly message: MessageRow;
  readonly author_id: string;
  readonly mentions: Mentions;
  readonly nonce: string | null;
}

/**
 * Posts a message whose guild has changed since the author's permissions were checked: checks them again.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS, GUILD_DISABLED
 */
export async function postWithRecheck(
  { db, eventsWritten, post }: Pick<Deps, 'db' | 'eventsWritten' | 'post'>,
  draft: Draft,
): Promise<MessageRow> {
  const { nonce } = draft;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { message, guild_revision } = await recheck(db, draft);
    const posted = await post({ message, nonce, guild_revision });
    if (posted === 'posted') return message;
    if (posted !== 'permissions_changed') throw notPosted(posted);
  }
  const message = await inTransaction(db, async (tx) => {
    await lockChannel(tx, draft.message.channel_id);
    const rechecked = await recheck(tx, draft);
    const posted = await postMessage(tx, rechecked.message, nonce);
    if (posted !== 'posted') throw notPosted(posted);
    return rechecked.message;
  });
  eventsWritten();
  return message;
}

/** Why a message is not stored, and will not be. */
export function notPosted(outcome: PostOutcome | undefined): Error {
  return outcome === 'guild_disabled' ? guildDisabled() : notFound('channel');
}

/** @throws MISSING_PERMISSIONS unless the account may post, with embeds if the message has some */
export function requireSendable({ permissions }: ChannelAccess, embeds: readonly unknown[]): void {
  if (!holds(permissions, Permission.SEND_MESSAGES)) throw missingPermissions();
  if (embeds.length > 0 && !holds(permissions, Permission.EMBED_LINKS)) throw missingPermissions();
}

/** Checks the author's permissions, and returns the message with the mentions that they allow now. */
async function recheck(
  db: Pool | PoolClient,
  { message, author_id, mentions }: Draft,
): Promise<{ message: MessageRow; guild_revision: string | null }> {
  const access = await accessChannel(db, message.channel_id, author_id);
  requireSendable(access, message.embeds);
  const notified = await notifiedMentions(db, mentions, access, message.mention_ids);
  return { message: { ...message, ...notified }, guild_revision: access.guild_revision };
}
