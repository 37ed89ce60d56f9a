import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveMemberRequest, RemoveMemberResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { guildDeleted, memberRemoved } from '../../events/event.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { requireAboveMember } from '../../guilds/hierarchy.ts';
import { requireMembership } from '../../guilds/require-member.ts';
import { AuditAction } from '../../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteMember } from '../../store/members/memberships.ts';

export function removeMember(deps: Deps): Handler<RemoveMemberRequest, RemoveMemberResponse> {
  return async ({ guild_id, user_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.KICK_MEMBERS);
      requireAboveMember(actor, await requireMembership(tx, guild_id, user_id));
      const member_count = await deleteMember(tx, guild_id, user_id);
      if (member_count === undefined) throw new Error('a member is missing although the guild is locked');
      await insertAuditEntries(tx, deps.ids, [
        {
          guild_id,
          action_type: AuditAction.MEMBER_KICK,
          user_id: account_id,
          target_id: user_id,
          reason,
        },
      ]);
      await insertEvents(tx, [
        memberRemoved(guild_id, user_id, member_count),
        guildDeleted(guild_id, user_id),
      ]);
    });
    return {};
  };
}
