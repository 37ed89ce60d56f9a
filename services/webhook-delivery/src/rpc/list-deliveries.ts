import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListDeliveriesRequest, ListDeliveriesResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { countDeliveries, findUnposted, MAX_DELIVERIES } from '../store/deliveries.ts';
import { findWebhook } from '../store/webhooks.ts';
import { requireId } from '../webhooks/credential.ts';

const DEFAULT_LIMIT = 100;

export function listDeliveries({ db, prisma }: Deps): Handler<ListDeliveriesRequest, ListDeliveriesResponse> {
  return async ({ webhook_id, limit: requested }) => {
    requireId('webhook_id', webhook_id);
    const limit = requested ?? DEFAULT_LIMIT;
    if (limit < 1 || limit > MAX_DELIVERIES) {
      const message = `Must be 1 to ${MAX_DELIVERIES}.`;
      throw invalidForm([{ path: 'limit', code: 'INVALID_FORMAT', message }]);
    }
    const rows = await findUnposted(db, webhook_id, limit);
    return {
      deliveries: rows.map(({ at, dialect, event, outcome, reason }) => ({
        at_ms: at.getTime(),
        dialect,
        event,
        outcome,
        reason,
      })),
      counts: await countDeliveries(db, webhook_id),
      webhook_exists: (await findWebhook(prisma, webhook_id)) !== undefined,
    };
  };
}
