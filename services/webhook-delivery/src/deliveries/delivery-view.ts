import type { WebhookDelivery } from '@gatehouse/proto/webhook-delivery';
import type { DeliveryRow } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery.ts';

/** A stored delivery, as its webhook's managers see it. */
export function deliveryView(row: DeliveryRow): WebhookDelivery {
  const { id, at, dialect, event, outcome, reason, message_id, channel_id, count, origin, retry_of } = row;
  return {
    id,
    timestamp: at.toISOString(),
    dialect,
    event,
    outcome,
    reason: reason === '' ? null : reason,
    message_id,
    channel_id,
    // Earlier versions stored only errors of the body, and answers without one.
    status: row.status ?? (outcome === 'refused' ? 400 : 204),
    count,
    origin,
    retry_of,
    can_be_sent_again: row.can_be_sent_again,
  };
}

/** A delivery that was just made by a manager. Its payload is not kept. */
export function newDeliveryView(delivery: Delivery): WebhookDelivery {
  return deliveryView({ ...delivery, at: new Date(), count: 1, can_be_sent_again: false });
}
