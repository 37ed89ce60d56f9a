import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type {
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponse,
} from '@gatehouse/proto/webhook-delivery';
import { deliveryView } from '../deliveries/delivery-view.ts';
import type { Deps } from '../deps.ts';
import { type DeliveryPage, findDeliveries } from '../store/deliveries.ts';
import { requireManagedWebhook } from '../webhooks/manager.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** The highest possible ID. */
const AFTER_NEWEST = '9223372036854775807';
const OUTCOMES: ReadonlySet<string> = new Set(['posted', 'nothing', 'refused', 'duplicate']);

export function listWebhookDeliveries(
  deps: Deps,
): Handler<ListWebhookDeliveriesRequest, ListWebhookDeliveriesResponse> {
  return async (request, call) => {
    const page = readPage(request);
    await requireManagedWebhook(deps, { webhook_id: request.webhook_id }, call);
    const rows = await findDeliveries(deps.db, page);
    return { deliveries: rows.map(deliveryView) };
  };
}

/** @throws INVALID_FORM_BODY */
function readPage({
  webhook_id,
  outcome,
  before,
  limit: wanted,
}: ListWebhookDeliveriesRequest): DeliveryPage {
  const form = new Form();
  const limit = wanted ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT)
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be 1 to ${MAX_LIMIT}.`);
  if (before && !isSnowflake(before))
    form.fail('before', 'INVALID_SNOWFLAKE_FORMAT', 'Must be a decimal ID.');
  if (outcome && !OUTCOMES.has(outcome))
    form.fail('outcome', 'INVALID_FORMAT', `Must be one of ${[...OUTCOMES].join(', ')}.`);
  form.check();
  return { webhook_id, outcome: outcome || undefined, before: before || AFTER_NEWEST, limit };
}
