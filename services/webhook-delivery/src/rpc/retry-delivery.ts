import type { Handler } from '@gatehouse/kit/rpc';
import type { RetryDeliveryRequest, RetryDeliveryResponse } from '@gatehouse/proto/webhook-delivery';
import { newDeliveryView } from '../deliveries/delivery-view.ts';
import { postPayload } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { noPayloadKept } from '../errors.ts';
import { findPayload } from '../store/payloads.ts';
import { requireId } from '../webhooks/credential.ts';
import { requireExecutableWebhook } from '../webhooks/manager.ts';
import { withCurrentCheck } from '../webhooks/with-current-check.ts';

/** The code host's identifier is left out: a repetition that somebody asked for is no duplicate. */
export function retryDelivery(deps: Deps): Handler<RetryDeliveryRequest, RetryDeliveryResponse> {
  return async (request, call) => {
    const { delivery_id, webhook_id } = request;
    const check = () => requireExecutableWebhook(deps, { webhook_id }, call);
    const delivery = await withCurrentCheck(deps, check, async (webhook) => {
      requireId('delivery_id', delivery_id);
      const payload = await findPayload(deps.db, webhook_id, delivery_id);
      if (payload === undefined) throw noPayloadKept();
      const { dialect } = payload;
      const execution = { ...payload, webhook, status: 200, origin: 'retry', retry_of: delivery_id } as const;
      return deps.executions.deliver(execution, () => postPayload(deps, webhook, dialect, payload, call));
    });
    return { delivery: newDeliveryView(delivery) };
  };
}
