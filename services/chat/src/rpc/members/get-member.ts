import { viewMember } from '@gatehouse/chat-client/member-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetMemberRequest, GetMemberResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessGuild } from '../../guilds/access.ts';
import { requireMember } from '../../guilds/require-member.ts';

export function getMember({ db, users }: Deps): Handler<GetMemberRequest, GetMemberResponse> {
  return async ({ guild_id, user_id }, call) => {
    await accessGuild(db, guild_id, requireAccount(call.caller));
    const member = await requireMember(db, guild_id, user_id);
    return { member: viewMember(member, await users([user_id])) };
  };
}
