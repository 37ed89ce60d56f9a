import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateGuildRequest, CreateGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { guildCreated } from '../../events/event.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { readGuildName } from '../../guilds/guild-form.ts';
import { enforceGuildLimit } from '../../guilds/guild-limit.ts';
import { newGuild } from '../../guilds/new-guild.ts';
import { requireMember } from '../../guilds/require-member.ts';
import { insertEvents } from '../../store/events/events.ts';
import { findGuildRows } from '../../store/guilds/guild-states.ts';
import { insertGuild } from '../../store/guilds/guilds.ts';

export function createGuild(deps: Deps): Handler<CreateGuildRequest, CreateGuildResponse> {
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const name = readGuildName(request.name);
    const { guild, everyone } = newGuild(deps.ids(), name, owner_id);
    await eventTransaction(deps, async (tx) => {
      await insertGuild(tx, guild, everyone, deps.ids());
      await enforceGuildLimit(tx, owner_id);
      const owner = await requireMember(tx, guild.id, owner_id);
      const state = await findGuildRows(tx, guild.id, owner);
      await insertEvents(tx, [guildCreated(guild.id, owner, state)]);
    });
    return { guild };
  };
}
