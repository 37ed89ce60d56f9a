import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateGuildRequest, CreateGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { newGuild } from '../guilds/new-guild.ts';
import { readText } from '../messages/text.ts';
import { insertGuild } from '../store/guilds.ts';

export function createGuild({
  db,
  ids,
  eventsWritten,
}: Deps): Handler<CreateGuildRequest, CreateGuildResponse> {
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const form = new Form();
    const name = readText(form, 'name', request.name, { min: 1, max: 100, trim: true });
    form.check();

    const { guild, everyone } = newGuild(ids(), name, owner_id);
    await insertGuild(db, guild, everyone, ids());
    eventsWritten();
    return { guild };
  };
}
