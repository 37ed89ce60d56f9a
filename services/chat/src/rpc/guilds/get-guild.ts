import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetGuildRequest, GetGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { accessGuild } from '../../guilds/access.ts';
import { findGuild } from '../../store/guilds/guilds.ts';

export function getGuild({ db }: Deps): Handler<GetGuildRequest, GetGuildResponse> {
  return async ({ guild_id }, call) => {
    await accessGuild(db, guild_id, requireAccount(call.caller));
    const guild = await findGuild(db, guild_id);
    if (guild === undefined) throw notFound('guild');
    return { guild };
  };
}
