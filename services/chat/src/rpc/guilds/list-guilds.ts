import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildsRequest, ListGuildsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId, readInteger } from '../../form/fields.ts';
import { listedGuild } from '../../guilds/listed-guild.ts';
import { listGuildsOf } from '../../store/guilds/guild-lists.ts';

const MAX_LIMIT = 200;

export function listGuilds({ db }: Deps): Handler<ListGuildsRequest, ListGuildsResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const form = new Form();
    const limit = readInteger(form, 'limit', request.limit ?? MAX_LIMIT, 1, MAX_LIMIT);
    const before = readId(form, 'before', request.before);
    const after = readId(form, 'after', request.after);
    form.check();
    const rows = await listGuildsOf(db, account_id, { before, after, limit });
    return { guilds: rows.map((row) => listedGuild(row, account_id)) };
  };
}
