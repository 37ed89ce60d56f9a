import type { Handler } from '@gatehouse/kit/rpc';
import type { EnableGuildRequest, EnableGuildResponse } from '@gatehouse/proto/chat-admin';
import { changeAdminGuild } from '../../admin/change-admin-guild.ts';
import type { Deps } from '../../deps.ts';
import { enableGuildRow } from '../../store/guilds/admin-guilds.ts';

export function enableGuild({ db }: Deps): Handler<EnableGuildRequest, EnableGuildResponse> {
  return (request) => changeAdminGuild(db, request, (tx) => enableGuildRow(tx, request.guild_id));
}
