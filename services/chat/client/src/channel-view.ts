import { userOf } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';
import type { Channel } from '@gatehouse/proto/chat';
import type { ChannelRow } from './rows.ts';

/** The accounts whose names a channel shows to one that is in it. A channel of a guild shows none. */
export function recipientsShown({ recipient_ids }: ChannelRow, accountId: string): readonly string[] {
  return recipient_ids.filter((id) => id !== accountId);
}

/** A stored channel as an account sees it. One that is not among `users` has been deleted. */
export function viewChannel(
  row: ChannelRow,
  accountId: string,
  users: ReadonlyMap<string, User> = new Map(),
): Channel {
  const { recipient_ids: _, permission_overwrites, ...channel } = row;
  const recipients = recipientsShown(row, accountId).map((id) => userOf(users, id));
  return { ...channel, permission_overwrites: [...permission_overwrites], recipients };
}
