import { userOrDeleted } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';
import type { Channel } from '@gatehouse/proto/chat';
import type { ChannelRow } from './rows.ts';

/** The accounts that a channel shows to one of its recipients. A guild's channel shows none. */
export function recipientsShown({ recipient_ids }: ChannelRow, accountId: string): readonly string[] {
  return recipient_ids.filter((id) => id !== accountId);
}

/** A channel as an account sees it. Accounts that are not among `users` have been deleted. */
export function viewChannel(
  row: ChannelRow,
  accountId: string,
  users: ReadonlyMap<string, User> = new Map(),
): Channel {
  const { recipient_ids: _, permission_overwrites, ...channel } = row;
  const recipients = recipientsShown(row, accountId).map((id) => userOrDeleted(users, id));
  return { ...channel, permission_overwrites: [...permission_overwrites], recipients };
}
