import { Fault } from '@gatehouse/kit/fault';
import type { AuditLogChange, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import type { Dialect } from '../src/store/delivery.ts';
import {
  anonymous,
  as,
  GUILD,
  MANAGER,
  type WebhookDelivery,
  type WebhookDeliveryClient,
} from './start-webhook-delivery.ts';

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

/** `OK` for a call that succeeds, or the public code of its fault. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: unknown) => (error instanceof Fault ? error.reason : String(error)),
  );
}

/** The headers of an execution. */
export interface ExecutionHeaders {
  readonly content_type?: string;
  readonly event?: string;
  readonly delivery?: string;
}

interface ExecutionRequest extends ExecutionHeaders {
  readonly webhook_id: string;
  readonly token: string;
  readonly body: Buffer;
}

/** Executes a webhook in a dialect, and ignores errors. */
export async function execute(
  { client }: WebhookDelivery,
  dialect: Dialect,
  request: ExecutionRequest,
): Promise<void> {
  const call = {
    webhook: () => client.executeWebhook(request, anonymous),
    chatcompat: () => client.executeChatcompat(request, anonymous),
    codehost: () => client.executeCodehost(request, anonymous),
    statuspage: () => client.executeStatuspage(request, anonymous),
  }[dialect];
  await call().catch(() => undefined);
}

/** The number of messages that a call posted. */
export async function postedBy({ posted }: WebhookDelivery, call: () => Promise<unknown>): Promise<number> {
  const before = posted.length;
  await call();
  return posted.length - before;
}

let lastChannel = 1_000_000;
/** Adds a channel to chat, in GUILD by default. Null: a private channel. */
export function newChannel({ channels }: WebhookDelivery, guild_id: string | null = GUILD): string {
  const channel_id = String(++lastChannel);
  channels.set(channel_id, guild_id);
  return channel_id;
}

/** The replicas in turn. */
export function replicaOf({ replicas, client }: WebhookDelivery, n: number): WebhookDeliveryClient {
  return replicas[n % replicas.length] ?? client;
}

/** Runs `act` before chat's next authorization. */
export function onceBeforeAuthorization({ before }: WebhookDelivery, act: () => unknown): void {
  before.authorizeWebhooks = () => {
    delete before.authorizeWebhooks;
    return act();
  };
}
