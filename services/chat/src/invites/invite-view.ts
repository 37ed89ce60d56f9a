import type { User } from '@gatehouse/proto/auth';
import type { Invite } from '@gatehouse/proto/chat';
import type { InviteRow } from '../store/invites.ts';

/** An invite as clients see it. An inviter who is not among `users` has been deleted. */
export function viewInvite(row: InviteRow, users: ReadonlyMap<string, User>): Invite {
  const { guild_id: _, channel_id: __, inviter_id, ...invite } = row;
  return { ...invite, inviter: users.get(inviter_id) ?? null, temporary: false };
}
