import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { askOne, READ_TIMEOUT } from '../lookup/gather.ts';
import { nameApplications } from '../lookup/names.ts';
import { pageOf, readListQuery, readPathId } from './query.ts';

export function registerApplications(app: FastifyInstance, deps: Deps): void {
  const { oauth2 } = deps.clients;
  app.get('/api/applications', async (request) => {
    const query = readListQuery(request);
    const { applications } = await askOne('oauth2', () => oauth2.findApplications(query, READ_TIMEOUT));
    const { items, ...page } = pageOf(applications);
    return { ...page, items: await nameApplications(deps, items) };
  });
  app.get('/api/applications/:id', async (request) => {
    const application_id = readPathId(request);
    const found = await askOne('oauth2', () => oauth2.getAdminApplication({ application_id }, READ_TIMEOUT));
    const [application] = await nameApplications(deps, found.application ? [found.application] : []);
    return { ...found, application };
  });
}
