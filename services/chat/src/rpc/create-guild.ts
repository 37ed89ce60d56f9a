import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateGuildRequest, CreateGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { readGuildName } from '../guilds/guild-form.ts';
import { newGuild } from '../guilds/new-guild.ts';
import { insertGuild } from '../store/guilds.ts';

export function createGuild({
  db,
  ids,
  eventsWritten,
}: Deps): Handler<CreateGuildRequest, CreateGuildResponse> {
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const name = readGuildName(request.name);
    const { guild, everyone } = newGuild(ids(), name, owner_id);
    await insertGuild(db, guild, everyone, ids());
    eventsWritten();
    return { guild };
  };
}
