import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { lookUpAccount } from '../lookup/account.ts';
import { webhooksOfAccount } from '../lookup/account-webhooks.ts';
import { askOne, READ_TIMEOUT } from '../lookup/gather.ts';
import { nameWebhooks } from '../lookup/names.ts';
import { search } from '../lookup/search.ts';
import { pageOf, readListQuery, readParameter, readPathId } from './query.ts';

const MAX_SEARCH = 512;

export function registerAccounts(app: FastifyInstance, deps: Deps): void {
  const { clients } = deps;
  app.get('/api/search', async (request) => {
    const form = new Form();
    const q = readParameter(form, request, 'q', MAX_SEARCH).trim();
    form.check();
    return search(deps, q);
  });
  app.get('/api/accounts', async (request) => {
    const query = readListQuery(request);
    if (query.query === '') return { items: [] };
    return pageOf(
      (await askOne('auth', () => clients.auth.findAccounts({ ...query, ids: [] }, READ_TIMEOUT))).accounts,
    );
  });
  app.get('/api/accounts/:id', async (request) => lookUpAccount(deps, readPathId(request)));
  app.get('/api/accounts/:id/webhooks', async (request) => {
    const account_id = readPathId(request);
    const { before, limit } = readListQuery(request);
    const { items, ...page } = pageOf(await webhooksOfAccount(deps, account_id, { before, limit }));
    return { ...page, items: await nameWebhooks(deps, items) };
  });
}
