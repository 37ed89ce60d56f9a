import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { askOne, READ_TIMEOUT } from '../lookup/gather.ts';
import { accountsOf, nameGuilds } from '../lookup/names.ts';
import { pageOf, readBefore, readListQuery, readPathId } from './query.ts';

const PAGE = 50;

export function registerGuilds(app: FastifyInstance, deps: Deps): void {
  const { chat } = deps.clients;
  app.get('/api/guilds', async (request) => {
    const query = readListQuery(request);
    const found = await askOne('chat', () => chat.findGuilds({ ...query, ids: [] }, READ_TIMEOUT));
    const { items, ...page } = pageOf(found.guilds);
    return { ...page, items: await nameGuilds(deps, items) };
  });
  app.get('/api/guilds/:id', async (request) => {
    const guild_id = readPathId(request);
    const found = await askOne('chat', () => chat.getAdminGuild({ guild_id }, READ_TIMEOUT));
    const owner_id = found.guild?.owner_id;
    const owner = owner_id === undefined ? undefined : (await accountsOf(deps, [owner_id])).get(owner_id);
    return { ...found, owner };
  });
  app.get('/api/guilds/:id/audit-log', async (request) => {
    const guild_id = readPathId(request);
    const form = new Form();
    const before = readBefore(form, request);
    form.check();
    const query = { guild_id, before, limit: PAGE + 1 };
    const found = await askOne('chat', () => chat.listGuildAuditLog(query, READ_TIMEOUT));
    const { items, ...page } = pageOf(found.entries);
    const users = await accountsOf(
      deps,
      items.map(({ user_id }) => user_id),
    );
    return { ...page, items: items.map((entry) => ({ ...entry, user: users.get(entry.user_id ?? '') })) };
  });
}
