import { printable, printableJson } from '@gatehouse/cli/output/printable';
import { textTable } from '@gatehouse/cli/output/text-table';
import type { Client } from '@gatehouse/kit/rpc';
import type {
  Delivery,
  ListDeliveriesResponse,
  WebhookDeliveryServiceDefinition,
} from '@gatehouse/proto/webhook-delivery';
import { explainReason } from '@gatehouse/webhook-delivery/render';
import { say } from '../demo/terminal.ts';
import type { DeliveriesOptions } from './arguments.ts';

export type Peer = Pick<Client<typeof WebhookDeliveryServiceDefinition>, 'listDeliveries'>;

const PATIENCE = { timeoutMs: 15_000 };

/** Prints why executions of a webhook posted nothing. */
export async function deliveries(peer: Peer, { webhook_id, limit, json }: DeliveriesOptions): Promise<void> {
  const answer = await peer.listDeliveries({ webhook_id, limit }, PATIENCE);
  if (json) say(deliveriesJson(webhook_id, answer));
  else say(deliveriesText(webhook_id, answer));
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
  if (answer.deliveries.length === 0) return [...gone, nothingNoted(webhook_id, answer)].join('\n');
  const { deliveries: found, counts } = answer;
  // Counts begin with an hour: the oldest deliveries may be of the one before.
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
    table(found),
    textTable([
      ['COUNT', 'DIALECT', 'OUTCOME', 'REASON'],
      ...counts.map(({ dialect, outcome, reason, count }) => [String(count), dialect, outcome, reason]),
    ]).trimEnd(),
    '',
    NOT_NOTED,
  ].join('\n');
}

function table(found: readonly Delivery[]): string {
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

const NOT_NOTED =
  'Not noted are requests with an unknown ID (404) or a wrong token (401), and those that were over a rate limit (429)\n' +
  'or too long (413).';

function nothingNoted(webhook_id: string, { webhook_exists }: ListDeliveriesResponse): string {
  if (!webhook_exists) return 'Nothing was noted of one with this ID in the last 24 hours.';
  return `Webhook ${webhook_id}: whatever reached it in the last 24 hours with the right token was posted.\n${NOT_NOTED}`;
}

function timeOf(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
