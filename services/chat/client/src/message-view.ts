import { userOrDeleted } from '@gatehouse/auth-client/users';
import { snowflakeTime } from '@gatehouse/kit/snowflake';
import type { User } from '@gatehouse/proto/auth';
import type { Message } from '@gatehouse/proto/chat';
import type { MessageRow } from './rows.ts';

/** The accounts that a message shows: its author and those mentioned. A webhook is no account. */
export function accountsShown({ author_id, mention_ids }: MessageRow): readonly string[] {
  return author_id === null ? mention_ids : [author_id, ...mention_ids];
}

/**
 * A message as clients see it, which JSON.stringify writes in its JSON form. Accounts that are not among `users` have
 * been deleted.
 */
export function viewMessage(row: MessageRow, users: ReadonlyMap<string, User>): Message {
  return {
    id: row.id,
    channel_id: row.channel_id,
    author: viewAuthor(row, users),
    webhook_id: row.webhook_id ?? undefined, // left out of JSON
    type: row.type,
    flags: row.flags,
    content: row.content,
    timestamp: new Date(snowflakeTime(row.id)).toISOString(),
    edited_timestamp: row.edited_at,
    pinned: row.pinned,
    mention_everyone: row.mention_everyone,
    tts: false,
    mentions: row.mention_ids.map((id) => userOrDeleted(users, id)),
    mention_roles: [...row.mention_role_ids],
    embeds: [...row.embeds],
    attachments: [],
  };
}

function viewAuthor(row: MessageRow, users: ReadonlyMap<string, User>): User {
  if (row.author_id !== null) return userOrDeleted(users, row.author_id);
  return {
    id: row.webhook_id ?? '',
    username: row.webhook_name ?? '',
    discriminator: '0000',
    global_name: null,
    avatar: row.webhook_avatar,
    bot: true,
  };
}
