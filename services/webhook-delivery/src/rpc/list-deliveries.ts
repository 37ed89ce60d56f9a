import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListDeliveriesRequest, ListDeliveriesResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { countDeliveries, KEPT_DELIVERIES, listDeliveries as listRows } from '../store/deliveries.ts';
import { findWebhook } from '../store/webhooks.ts';
import { requireId } from '../webhooks/credential.ts';

const DEFAULT_LIMIT = 100;

export function listDeliveries({ db, prisma }: Deps): Handler<ListDeliveriesRequest, ListDeliveriesResponse> {
  return async ({ webhook_id, limit }) => {
    requireId('webhook_id', webhook_id);
    const rows = await listRows(db, webhook_id, readLimit(limit ?? DEFAULT_LIMIT));
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

function readLimit(limit: number): number {
  const form = new Form();
  if (limit < 1 || limit > KEPT_DELIVERIES) {
    form.fail('limit', 'INVALID_FORMAT', `Must be 1 to ${KEPT_DELIVERIES}.`);
  }
  form.check();
  return limit;
}
