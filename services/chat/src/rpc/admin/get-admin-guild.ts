import type { Handler } from '@gatehouse/kit/rpc';
import type { GetAdminGuildRequest, GetAdminGuildResponse } from '@gatehouse/proto/chat-admin';
import { adminGuildView } from '../../admin/admin-guild-view.ts';
import { requireId } from '../../admin/require-id.ts';
import type { Deps } from '../../deps.ts';
import { noSuchGuild } from '../../errors.ts';
import { findAdminGuild, findGuildSize } from '../../store/guilds/admin-guilds.ts';

export function getAdminGuild({ db }: Deps): Handler<GetAdminGuildRequest, GetAdminGuildResponse> {
  return async ({ guild_id }) => {
    requireId('guild_id', guild_id);
    const [guild, size] = await Promise.all([findAdminGuild(db, guild_id), findGuildSize(db, guild_id)]);
    if (guild === undefined) throw noSuchGuild();
    return { guild: adminGuildView(guild), ...size };
  };
}
