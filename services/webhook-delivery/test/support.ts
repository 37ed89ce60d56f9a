import { Fault } from '@gatehouse/kit/fault';
import type { AuditLogChange, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { as, type DeliveryClient, MANAGER, type WebhookDelivery } from './webhook-delivery.ts';

/** The changes of a webhook that chat received, oldest first. */
export function changesOf(
  { changes }: WebhookDelivery,
  { id }: Pick<Webhook, 'id'>,
): RecordWebhookChangeRequest[] {
  return [...changes.values()].filter((change) => change.webhook?.id === id);
}

/** A change of a text in an audit log entry. */
export function changed(key: string, from: string | null, to: string | null): AuditLogChange {
  const json = (value: string | null) => (value === null ? null : JSON.stringify(value));
  return { key, old_value: json(from), new_value: json(to) };
}

/** The current webhook, as shown to its managers. */
export async function current({ client }: WebhookDelivery, { id }: Pick<Webhook, 'id'>): Promise<Webhook> {
  const { webhook } = await client.getWebhook({ webhook_id: id }, as(MANAGER));
  if (webhook === null) throw new Error('no webhook came back');
  return webhook;
}

/** The number of successful calls, and the codes of the refused ones. */
export async function outcomesOf(calls: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls);
  const refused = settled.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
  for (const error of refused) if (!(error instanceof Fault)) throw error;
  return { done: calls.length - refused.length, refused: [...new Set(refused.map(({ reason }) => reason))] };
}

/** The replicas in turn. */
export function replicaOf({ replicas, client }: WebhookDelivery, n: number): DeliveryClient {
  return replicas[n % replicas.length] ?? client;
}

/** Runs `happens` before chat's next permission check. */
export function onceBeforeJudged({ before }: WebhookDelivery, happens: () => unknown): void {
  before.authorizeWebhooks = () => {
    delete before.authorizeWebhooks;
    return happens();
  };
}
