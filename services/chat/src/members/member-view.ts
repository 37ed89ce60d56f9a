import type { User } from '@gatehouse/proto/auth';
import type { Member } from '@gatehouse/proto/chat';
import type { MemberRow } from '../store/member-profiles.ts';
import { userOf } from '../users.ts';

/** A stored member as clients see it. An account that is not among `users` has been deleted. */
export function viewMember(row: MemberRow, users: ReadonlyMap<string, User>): Member {
  const { account_id, role_ids, ...member } = row;
  return { ...member, user: userOf(users, account_id), roles: [...role_ids] };
}
