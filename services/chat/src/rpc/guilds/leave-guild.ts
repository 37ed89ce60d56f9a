import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LeaveGuildRequest, LeaveGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { endMembership } from '../../members/end-membership.ts';

export function leaveGuild(deps: Deps): Handler<LeaveGuildRequest, LeaveGuildResponse> {
  return async ({ guild_id }, call) => {
    const account_id = requireAccount(call.caller);
    await changeGuild(
      deps,
      guild_id,
      account_id,
      async (tx, actor) => {
        if (actor.owner_id === account_id)
          throw badRequest('The owner cannot leave: hand the guild over, or delete it.');
        await endMembership(tx, guild_id, account_id);
      },
      { even_if_disabled: true }, // as when another service removes an account
    );
    return {};
  };
}
