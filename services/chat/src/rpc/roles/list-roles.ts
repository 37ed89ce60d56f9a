import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListRolesRequest, ListRolesResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessGuild } from '../../guilds/access.ts';
import { findRoles } from '../../store/roles.ts';

export function listRoles({ db }: Deps): Handler<ListRolesRequest, ListRolesResponse> {
  return async ({ guild_id }, call) => {
    await accessGuild(db, guild_id, requireAccount(call.caller));
    return { roles: await findRoles(db, guild_id) };
  };
}
