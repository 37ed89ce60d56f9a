import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serviceAway } from '../errors.ts';
import { askOne, gather, READ_TIMEOUT } from '../lookup/gather.ts';
import { nameWebhooks } from '../lookup/names.ts';
import { pageOf, readListQuery, readPathId } from './query.ts';

const NOISY = 50;
const SERVICE = 'webhook-delivery';

export function registerWebhooks(app: FastifyInstance, deps: Deps): void {
  const { clients, log } = deps;
  const { webhooks, deliveries } = clients;
  app.get('/api/webhooks', async (request) => {
    const query = readListQuery(request);
    const found = await askOne(SERVICE, () =>
      webhooks.findWebhooks({ ...query, creator_ids: [] }, READ_TIMEOUT),
    );
    const { items, ...page } = pageOf(found.webhooks);
    return { ...page, items: await nameWebhooks(deps, items) };
  });
  app.get('/api/webhooks/noisy', async () => {
    const found = await askOne(SERVICE, () => webhooks.listNoisyWebhooks({ limit: NOISY }, READ_TIMEOUT));
    const shown = found.webhooks.flatMap(({ webhook }) => (webhook ? [webhook] : []));
    const named = new Map((await nameWebhooks(deps, shown)).map((webhook) => [webhook.id, webhook]));
    return {
      items: found.webhooks.map((noisy) => ({ ...noisy, webhook: named.get(noisy.webhook?.id ?? '') })),
    };
  });
  app.get('/api/webhooks/:id', async (request) => {
    const webhook_id = readPathId(request);
    const { found, unavailable } = await gather(
      {
        webhook: () => webhooks.getAdminWebhook({ webhook_id }, READ_TIMEOUT),
        deliveries: () => deliveries.listDeliveries({ webhook_id }, READ_TIMEOUT),
      },
      log,
    );
    if (found.webhook === undefined) throw serviceAway(SERVICE, undefined);
    const { deliveries: unposted = [], counts = [] } = found.deliveries ?? {};
    const { webhook } = found.webhook;
    const [named] = await nameWebhooks(deps, webhook ? [webhook] : []);
    return { ...found.webhook, webhook: named, deliveries: unposted, counts, unavailable };
  });
}
