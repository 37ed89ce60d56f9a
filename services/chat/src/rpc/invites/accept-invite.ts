import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AcceptInviteRequest, AcceptInviteResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { guildDisabled, unknownInvite } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { viewInvite } from '../../invites/invite-view.ts';
import { joinGuild } from '../../invites/join-guild.ts';
import { requireInvite } from '../../invites/require-invite.ts';
import { lockGuild } from '../../store/guilds/guild-lock.ts';

export function acceptInvite(deps: Deps): Handler<AcceptInviteRequest, AcceptInviteResponse> {
  return async ({ code }, call) => {
    const account_id = requireAccount(call.caller);
    const { guild_id, inviter_id } = await requireInvite(deps.db, code);
    // Read before the change, so that nothing can fail after the account has joined.
    const shownUsers = await deps.users([inviter_id]);
    const invite = await eventTransaction(deps, async (tx) => {
      const guild = await lockGuild(tx, guild_id);
      if (guild === undefined) throw unknownInvite();
      const current = await requireInvite(tx, code);
      if (guild.is_disabled) throw guildDisabled();
      return joinGuild(tx, current, account_id);
    });
    return { invite: viewInvite(invite, shownUsers) };
  };
}
