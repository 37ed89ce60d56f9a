import { holds, Permission } from '@gatehouse/chat-client/permissions';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { missingPermissions, notFound } from '../errors.ts';
import { accessChannel, type ChannelAccess } from '../guilds/access.ts';
import { lockChannel } from '../store/channels/channel-lock.ts';
import { postMessage } from '../store/messages/post-messages.ts';
import type { Mentions } from './mentions.ts';
import { notifiedBy } from './notified.ts';

/** With others, before it gets the guild to itself: that is dear where many post and much changes. */
const ATTEMPTS = 3;

/** A message by an account, and what it was made of. */
interface Draft {
  readonly message: MessageRow;
  readonly author_id: string;
  readonly mentions: Mentions;
  readonly nonce: string | null;
}

/**
 * Posts a message in whose guild something changed since the rights of its author were judged: they are judged again.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS
 */
export async function postAnew(
  { db, eventsWritten, post }: Pick<Deps, 'db' | 'eventsWritten' | 'post'>,
  draft: Draft,
): Promise<MessageRow> {
  const { nonce } = draft;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { message, guild_revision } = await judge(db, draft);
    const posted = await post({ message, nonce, guild_revision });
    if (posted === 'posted') return message;
    if (posted !== 'rights_changed') throw notFound('channel');
  }
  const message = await inTransaction(db, async (tx) => {
    await lockChannel(tx, draft.message.channel_id);
    const judged = await judge(tx, draft);
    if ((await postMessage(tx, judged.message, nonce)) !== 'posted') throw notFound('channel');
    return judged.message;
  });
  eventsWritten();
  return message;
}

/** @throws MISSING_PERMISSIONS unless an account may post, with embeds if it has some */
export function requireSendable({ permissions }: ChannelAccess, embeds: readonly unknown[]): void {
  if (!holds(permissions, Permission.SEND_MESSAGES)) throw missingPermissions();
  if (embeds.length > 0 && !holds(permissions, Permission.EMBED_LINKS)) throw missingPermissions();
}

/** The message as its author may post it now. */
async function judge(
  db: Pool | PoolClient,
  { message, author_id, mentions }: Draft,
): Promise<{ message: MessageRow; guild_revision: string | null }> {
  const access = await accessChannel(db, message.channel_id, author_id);
  requireSendable(access, message.embeds);
  const notified = await notifiedBy(db, mentions, access, message.mention_ids);
  return { message: { ...message, ...notified }, guild_revision: access.guild_revision };
}
