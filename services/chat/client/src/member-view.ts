import { userOrDeleted } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';
import type { Member } from '@gatehouse/proto/chat';
import type { MemberRow } from './rows.ts';

/** A member as clients see it. An account that is not among `users` has been deleted and shows no profile. */
export function viewMember(row: MemberRow, users: ReadonlyMap<string, User>): Member {
  const { account_id, role_ids, joined_at, ...profile } = row;
  const shown = users.has(account_id) ? profile : NO_PROFILE;
  return { ...shown, user: userOrDeleted(users, account_id), roles: [...role_ids], joined_at };
}

const NO_PROFILE = { nick: null, avatar: null, banner: null, bio: null, pronouns: null, accent_color: null };
