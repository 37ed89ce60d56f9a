import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { Guild, ListGuildsRequest, ListGuildsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../../form/page-limits.ts';
import { listedGuildJson } from '../../guilds/listed-guild-json.ts';
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
    const json = `[${rows.map((row) => listedGuildJson(row, account_id)).join()}]`;
    return request.as_json
      ? { guilds: [], json: Buffer.from(json) }
      : { guilds: JSON.parse(json) as Guild[] };
  };
}
