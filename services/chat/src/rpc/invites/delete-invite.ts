import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteInviteRequest, DeleteInviteResponse } from '@gatehouse/proto/chat';
import { changesBetween } from '../../audit-log/changes-between.ts';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { missingPermissions } from '../../errors.ts';
import { inviteDeleted } from '../../events/event.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { canDeleteInvite } from '../../invites/can-delete-invite.ts';
import { INVITE_AUDIT_KEYS } from '../../invites/invite-rules.ts';
import { requireInvite } from '../../invites/require-invite.ts';
import { AuditAction } from '../../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteInviteRow } from '../../store/invites.ts';

export function deleteInvite(deps: Deps): Handler<DeleteInviteRequest, DeleteInviteResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    const { code, guild_id } = await requireInvite(deps.db, request.code);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      const invite = await requireInvite(tx, code);
      if (!(await canDeleteInvite(tx, actor, invite))) throw missingPermissions();
      await deleteInviteRow(tx, code);
      await insertAuditEntries(tx, deps.ids, [
        {
          guild_id,
          action_type: AuditAction.INVITE_DELETE,
          user_id: account_id,
          reason,
          changes: changesBetween(invite, undefined, INVITE_AUDIT_KEYS),
        },
      ]);
      await insertEvents(tx, [inviteDeleted(invite)]);
    });
    return {};
  };
}
