import type { Handler } from '@gatehouse/kit/rpc';
import type { DisableGuildRequest, DisableGuildResponse } from '@gatehouse/proto/chat-admin';
import { changeAdminGuild } from '../../admin/change-admin-guild.ts';
import type { Deps } from '../../deps.ts';
import { disableGuildRow } from '../../store/guilds/admin-guilds.ts';

export function disableGuild({ db }: Deps): Handler<DisableGuildRequest, DisableGuildResponse> {
  return (request) =>
    changeAdminGuild(db, request, (tx, action) => disableGuildRow(tx, request.guild_id, action));
}
