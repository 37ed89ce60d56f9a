import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serviceAway } from '../errors.ts';
import { askOne, gather, READ } from '../lookup/gather.ts';
import { pageOf, readListQuery, readPathId } from './query.ts';

const NOISY = 50;
const SERVICE = 'webhook-delivery';

export function registerWebhooks(app: FastifyInstance, { clients, log }: Deps): void {
  const { webhooks, deliveries } = clients;
  app.get('/api/webhooks', async (request) => {
    const query = readListQuery(request);
    return pageOf((await askOne(SERVICE, () => webhooks.findWebhooks(query, READ))).webhooks);
  });
  app.get('/api/webhooks/noisy', async () => {
    const found = await askOne(SERVICE, () => webhooks.listNoisyWebhooks({ limit: NOISY }, READ));
    return { items: found.webhooks };
  });
  app.get('/api/webhooks/:id', async (request) => {
    const webhook_id = readPathId(request);
    const { found, unavailable } = await gather(
      {
        webhook: () => webhooks.getAdminWebhook({ webhook_id }, READ),
        deliveries: () => deliveries.listDeliveries({ webhook_id }, READ),
      },
      log,
    );
    if (found.webhook === undefined) throw serviceAway(SERVICE, undefined);
    const { deliveries: unposted = [], counts = [] } = found.deliveries ?? {};
    return { ...found.webhook, deliveries: unposted, counts, unavailable };
  });
}
