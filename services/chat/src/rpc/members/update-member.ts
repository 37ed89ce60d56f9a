import { viewMember } from '@gatehouse/chat-client/member-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateMemberRequest, UpdateMemberResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { changeMember } from '../../members/change-member.ts';
import { readMemberForm } from '../../members/profile-form.ts';

export function updateMember(deps: Deps): Handler<UpdateMemberRequest, UpdateMemberResponse> {
  return async (request, call) => {
    const { guild_id, user_id } = request;
    const account_id = requireAccount(call.caller);
    const wanted = readMemberForm(request);
    const reason = readReason(request.reason);
    const shownUsers = await deps.users([user_id]);
    const member = await changeGuild(deps, guild_id, account_id, (tx, actor) =>
      changeMember(tx, deps, { actor, user_id, reason }, wanted),
    );
    return { member: viewMember(member, shownUsers) };
  };
}
