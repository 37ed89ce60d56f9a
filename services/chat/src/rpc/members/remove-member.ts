import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveMemberRequest, RemoveMemberResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { requireAboveMember } from '../../guilds/hierarchy.ts';
import { requireMembership } from '../../guilds/require-member.ts';
import { endMembership } from '../../members/end-membership.ts';
import { AuditAction } from '../../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';

export function removeMember(deps: Deps): Handler<RemoveMemberRequest, RemoveMemberResponse> {
  return async ({ guild_id, user_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.KICK_MEMBERS);
      requireAboveMember(actor, await requireMembership(tx, guild_id, user_id));
      await endMembership(tx, guild_id, user_id);
      await insertAuditEntries(tx, deps.ids, [
        {
          guild_id,
          action_type: AuditAction.MEMBER_KICK,
          user_id: account_id,
          target_id: user_id,
          reason,
        },
      ]);
    });
    return {};
  };
}
