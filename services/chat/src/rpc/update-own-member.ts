import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateOwnMemberRequest, UpdateOwnMemberResponse } from '@gatehouse/proto/chat';
import { readReason } from '../audit-log/reason.ts';
import type { Deps } from '../deps.ts';
import { memberUpdated } from '../events/event.ts';
import { accessGuild, requireGuildPermission } from '../guilds/access.ts';
import { changeGuild } from '../guilds/change-guild.ts';
import { Permission } from '../guilds/permissions.ts';
import { changeProfile, profileChanges } from '../members/change-profile.ts';
import { viewMember } from '../members/member-view.ts';
import { readProfileForm } from '../members/profile-form.ts';
import { requireMember } from '../members/require-member.ts';
import { insertEvents } from '../store/events.ts';

/** All refusals come before the limits are charged, and that before anything is changed. */
export function updateOwnMember(deps: Deps): Handler<UpdateOwnMemberRequest, UpdateOwnMemberResponse> {
  return async (request, call) => {
    const { guild_id } = request;
    const account_id = requireAccount(call.caller);
    const wanted = readProfileForm(request);
    const reason = readReason(request.reason);
    const membership = await accessGuild(deps.db, guild_id, account_id);
    if (wanted.nick !== undefined) requireGuildPermission(membership, Permission.CHANGE_NICKNAME);
    const before = await requireMember(deps.db, guild_id, account_id);
    const shown = await deps.users([account_id]);
    const changes = profileChanges(before, wanted);
    if (Object.keys(changes).length === 0) return { member: viewMember(before, shown) };
    // Outside the transaction: while a service is asked, nobody waits for the guild.
    await deps.takeProfileChanges({ account_id, guild_id }, changes, call);

    const member = await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      if (changes.nick !== undefined) requireGuildPermission(actor, Permission.CHANGE_NICKNAME);
      const now = await requireMember(tx, guild_id, account_id);
      const by = { guild_id, user_id: account_id, reason };
      if (!(await changeProfile(tx, deps, by, now, changes))) return now;
      const after = await requireMember(tx, guild_id, account_id);
      await insertEvents(tx, [memberUpdated(guild_id, after)]);
      return after;
    });
    return { member: viewMember(member, shown) };
  };
}
