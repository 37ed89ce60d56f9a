import type { PoolClient } from 'pg';
import { changesBetween } from '../audit-log/changes-between.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { inviteCreated } from '../events/event.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { insertEvents } from '../store/events/events.ts';
import { countInvites, findInvite, type InviteRow, insertInvite, type NewInvite } from '../store/invites.ts';
import { INVITE_AUDIT_KEYS, MAX_INVITES } from './invite-rules.ts';

/**
 * Adds an invite to a locked guild.
 *
 * @throws BAD_REQUEST if the guild has 1,000 invites
 */
export async function addInvite(
  tx: PoolClient,
  { ids }: Deps,
  wanted: NewInvite,
  reason: string | null,
): Promise<InviteRow> {
  const { code, guild_id, inviter_id: user_id } = wanted;
  if ((await countInvites(tx, guild_id)) >= MAX_INVITES) {
    throw badRequest(`A guild has at most ${MAX_INVITES} invites.`);
  }
  await insertInvite(tx, wanted);
  const invite = await findInvite(tx, code);
  if (invite === undefined) throw new Error('an invite that was just stored has expired');
  const changes = changesBetween(undefined, invite, INVITE_AUDIT_KEYS);
  await insertAuditEntries(tx, ids, [
    {
      guild_id,
      action_type: AuditAction.INVITE_CREATE,
      user_id,
      reason,
      changes,
    },
  ]);
  await insertEvents(tx, [inviteCreated(invite)]);
  return invite;
}
