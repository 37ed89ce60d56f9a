import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { askOne, READ } from '../lookup/gather.ts';
import { pageOf, readListQuery, readPathId } from './query.ts';

export function registerApplications(app: FastifyInstance, { clients: { oauth2 } }: Deps): void {
  app.get('/api/applications', async (request) => {
    const query = readListQuery(request);
    return pageOf((await askOne('oauth2', () => oauth2.findApplications(query, READ))).applications);
  });
  app.get('/api/applications/:id', async (request) => {
    const application_id = readPathId(request);
    return askOne('oauth2', () => oauth2.getAdminApplication({ application_id }, READ));
  });
}
