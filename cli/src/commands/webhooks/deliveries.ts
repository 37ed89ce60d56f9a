import {
  type Delivery,
  type ListDeliveriesResponse,
  WebhookDeliveryServiceDefinition,
} from '@gatehouse/proto/webhook-delivery';
import { explainReason } from '@gatehouse/webhook-delivery/render';
import { printable, printableJson } from '../../output/printable.ts';
import { textTable } from '../../output/text-table.ts';
import { addressesOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callService } from '../../service/call-service.ts';

const SERVICE = {
  server: 'webhook-delivery' as const,
  definition: WebhookDeliveryServiceDefinition,
  title: 'The webhook-delivery service or its database',
};
const CALL_TIMEOUT_MS = 15_000;

export interface DeliveriesOptions {
  readonly limit: number;
  readonly address: string | undefined;
  readonly json?: boolean;
}

/** Prints the executions of a webhook that posted nothing, with their reasons. */
export async function deliveries(
  webhook_id: string,
  { limit, address, json }: DeliveriesOptions,
  runtime: Runtime,
): Promise<void> {
  const at = address ?? addressesOf(runtime.env, 'webhook-delivery');
  const call = { timeoutMs: CALL_TIMEOUT_MS, signal: runtime.signal };
  const answer = await callService(SERVICE, at, runtime, (client) =>
    client.listDeliveries({ webhook_id, limit }, call),
  );
  printLine(runtime, json ? deliveriesJson(webhook_id, answer) : deliveriesText(webhook_id, answer));
}

function deliveriesJson(webhook_id: string, answer: ListDeliveriesResponse): string {
  const { webhook_exists, deliveries: found, counts } = answer;
  const rows = found.map(({ at_ms, dialect, event = null, outcome, reason }) => {
    const explanation = explainReason(reason, event);
    return { at: timeOf(at_ms), dialect, event, outcome, reason, explanation };
  });
  return printableJson(JSON.stringify({ webhook_id, webhook_exists, deliveries: rows, counts }));
}

function deliveriesText(webhook_id: string, answer: ListDeliveriesResponse): string {
  const gone = answer.webhook_exists
    ? []
    : [`There is no webhook ${webhook_id} now. Requests to it are answered 404.`];
  if (answer.deliveries.length === 0) return [...gone, noneText(webhook_id, answer)].join('\n');
  const { deliveries: found, counts } = answer;
  // Counts start at a full hour, so they may lack the oldest deliveries.
  const total = Math.max(
    counts.reduce((sum, { count }) => sum + count, 0),
    found.length,
  );
  const executions = total === 1 ? '1 execution' : `${total} executions`;
  const shown = found.length < total ? ` The newest ${found.length}:` : '';
  return [
    ...gone,
    `Webhook ${webhook_id}: ${executions} posted nothing in the last 24 hours.${shown}`,
    '',
    deliveryTable(found),
    textTable([
      ['COUNT', 'DIALECT', 'OUTCOME', 'REASON'],
      ...counts.map(({ dialect, outcome, reason, count }) => [String(count), dialect, outcome, reason]),
    ]).trimEnd(),
    '',
    UNRECORDED,
  ].join('\n');
}

function deliveryTable(found: readonly Delivery[]): string {
  const heading = ['TIME', 'DIALECT', 'EVENT', 'OUTCOME', 'WHY'];
  const rows = found.map((delivery) => {
    const { at_ms, dialect, event, outcome } = delivery;
    return [timeOf(at_ms), dialect, printable(event ?? '-'), outcome, printable(why(delivery))];
  });
  return textTable([heading, ...rows]);
}

function why({ reason, event }: Delivery): string {
  return `${reason}: ${explainReason(reason, event)}`;
}

const UNRECORDED =
  'Requests with a wrong token (401), over a rate limit (429) or too long (413) are not listed here. The managers of the\nwebhook see them. Those with an unknown ID (404) are not recorded.';

function noneText(webhook_id: string, { webhook_exists }: ListDeliveriesResponse): string {
  if (!webhook_exists) return 'None was recorded for this ID in the last 24 hours.';
  return `Webhook ${webhook_id}: every request with the right token was posted in the last 24 hours.\n${UNRECORDED}`;
}

function timeOf(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
