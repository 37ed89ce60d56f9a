import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildsRequest, ListGuildsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../../form/page-limits.ts';
import { listedGuild } from '../../guilds/listed-guild.ts';
import { findGuildsOf } from '../../store/guilds/guild-lists.ts';

export function listGuilds({ db }: Deps): Handler<ListGuildsRequest, ListGuildsResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const form = new Form();
    const limit = readLimit(form, request.limit, PAGE_LIMITS.guilds);
    const before = readId(form, 'before', request.before);
    const after = readId(form, 'after', request.after);
    form.check();
    const rows = await findGuildsOf(db, account_id, { before, after, limit });
    const guilds = rows.map((row) => listedGuild(row, account_id));
    return request.as_json ? { guilds: [], json: Buffer.from(JSON.stringify(guilds)) } : { guilds };
  };
}
