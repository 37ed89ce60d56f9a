import { Form } from '@gatehouse/kit/form';
import { readOperatorIds, readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindGuildsRequest, FindGuildsResponse } from '@gatehouse/proto/chat-admin';
import { adminGuildView } from '../../admin/admin-guild-view.ts';
import type { Deps } from '../../deps.ts';
import { findGuildsById, findNewestGuilds, searchGuilds } from '../../store/guilds/admin-guilds.ts';

export function findGuilds({ db }: Deps): Handler<FindGuildsRequest, FindGuildsResponse> {
  return async (request) => {
    const form = new Form();
    const { query: text, ...page } = readOperatorSearch(form, request);
    const ids = readOperatorIds(form, 'ids', request.ids);
    form.check();
    if (ids.length > 0) return { guilds: (await findGuildsById(db, ids)).map(adminGuildView) };
    if (text.includes('\0')) return { guilds: [] }; // PostgreSQL has no such text
    const id = isSnowflake(text) ? text : null;
    const rows = text === '' ? await findNewestGuilds(db, page) : await searchGuilds(db, { id, text }, page);
    return { guilds: rows.map(adminGuildView) };
  };
}
