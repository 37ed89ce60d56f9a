import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { changesBetween } from '../audit-log/changes-between.ts';
import type { Deps } from '../deps.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { type MemberProfile, updateMemberProfile } from '../store/members/member-profiles.ts';
import type { ProfilePatch } from './profile-form.ts';

const FIELDS = ['nick', 'avatar', 'banner', 'bio', 'pronouns', 'accent_color'] as const;

/** The wanted values that differ from the current ones. */
export function profileChanges(member: MemberProfile, wanted: ProfilePatch): ProfilePatch {
  const changed = FIELDS.filter((field) => wanted[field] !== undefined && wanted[field] !== member[field]);
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]));
}

/** Sets the wanted values, with an audit log entry that shows only the nick; false if nothing differs. */
export async function changeProfile(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { guild_id, user_id, reason }: { guild_id: string; user_id: string; reason: string | null },
  member: MemberRow,
  wanted: ProfilePatch,
): Promise<boolean> {
  const changes = profileChanges(member, wanted);
  if (Object.keys(changes).length === 0) return false;
  const after = { ...member, ...changes } as MemberRow; // changes has no undefined values
  await updateMemberProfile(tx, guild_id, member.account_id, after);
  if (changes.nick === undefined) return true;
  await insertAuditEntries(tx, ids, [
    {
      guild_id,
      action_type: AuditAction.MEMBER_UPDATE,
      user_id,
      target_id: member.account_id,
      reason,
      changes: changesBetween(member, after, ['nick']),
    },
  ]);
  return true;
}
