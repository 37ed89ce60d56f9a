import type { Handler } from '@gatehouse/kit/rpc';
import type { ListAccountGuildsRequest, ListAccountGuildsResponse } from '@gatehouse/proto/chat-admin';
import { adminGuildView } from '../../admin/admin-guild-view.ts';
import { requireId } from '../../admin/require-id.ts';
import type { Deps } from '../../deps.ts';
import { findGuildsOfAccount } from '../../store/guilds/admin-guilds.ts';

const MAX_GUILDS = 200;

export function listAccountGuilds({
  db,
}: Deps): Handler<ListAccountGuildsRequest, ListAccountGuildsResponse> {
  return async ({ account_id }) => {
    requireId('account_id', account_id);
    return { guilds: (await findGuildsOfAccount(db, account_id, MAX_GUILDS)).map(adminGuildView) };
  };
}
