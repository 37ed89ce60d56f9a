import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateInviteRequest, CreateInviteResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { noInvitesHere } from '../../errors.ts';
import { accessGuildChannel, requirePermission } from '../../guilds/access.ts';
import { changeGuild, guildOfChannel } from '../../guilds/change-guild.ts';
import { addInvite } from '../../invites/add-invite.ts';
import { newInviteCode } from '../../invites/invite-code.ts';
import { readInviteRules } from '../../invites/invite-rules.ts';
import { viewInvite } from '../../invites/invite-view.ts';

export function createInvite(deps: Deps): Handler<CreateInviteRequest, CreateInviteResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const rules = readInviteRules(request);
    const reason = readReason(request.reason);
    const { channel_id } = request;
    const guild_id = await guildOfChannel(deps, channel_id, account_id, noInvitesHere);
    const shownUsers = await deps.users([account_id]);

    const invite = await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      const { permissions } = await accessGuildChannel(tx, actor, channel_id);
      requirePermission(permissions, Permission.CREATE_INSTANT_INVITE);
      const wanted = { code: newInviteCode(), guild_id, channel_id, inviter_id: account_id, ...rules };
      return addInvite(tx, deps, wanted, reason);
    });
    return { invite: viewInvite(invite, shownUsers) };
  };
}
