import type { Call } from '@gatehouse/kit/rpc';
import type { Message } from '@gatehouse/proto/chat';
import type { ExecuteWebhookBody } from '@gatehouse/proto/webhook-delivery';
import { readChatcompat } from '../chatcompat/read-chatcompat.ts';
import { renderCodehost } from '../codehost/render.ts';
import type { Deps } from '../deps.ts';
import type { JsonObject } from '../execution/json-object.ts';
import { authorOf, MESSAGE_TIMEOUT_MS, NO_MENTIONS } from '../execution/message-author.ts';
import { readMessageBody } from '../execution/message-body.ts';
import type { ProviderBody } from '../execution/payload.ts';
import { renderStatuspage } from '../statuspage/render.ts';
import type { Dialect } from '../store/delivery.ts';
import type { ExecutedWebhook } from '../store/webhooks.ts';
import type { ExecutionResult } from './execution-tracker.ts';
import { postEvent } from './post-event.ts';

type PostDeps = Pick<Deps, 'chat'>;

export const EXECUTION_BODY = 'gatehouse.webhook_delivery.v1.ExecuteWebhookBody';

/** A body, and the headers that its format reads. */
export interface SentPayload extends ProviderBody {
  readonly event?: string | null | undefined;
  /** X-Codehost-Delivery: only the first event with it is posted. */
  readonly delivery?: string | null | undefined;
}

/** Renders a payload and posts it, as the route of its format does. */
export function postPayload(
  deps: PostDeps,
  webhook: ExecutedWebhook,
  dialect: Dialect,
  sent: SentPayload,
  call: Call,
): Promise<ExecutionResult<unknown>> {
  switch (dialect) {
    case 'webhook':
      return postMessage(deps, webhook, sent, call);
    case 'chatcompat':
      return postChatcompat(deps, webhook, sent, call);
    case 'codehost':
      return postCodehost(deps, webhook, sent, call);
    case 'statuspage':
      return postEvent(deps, webhook, { provider: 'statuspage', render: renderStatuspage }, sent, call);
  }
}

/** Posts a message body (docs/webhooks.md#execute), and answers with the message. */
export async function postMessage(
  { chat }: PostDeps,
  webhook: ExecutedWebhook,
  sent: ProviderBody,
  call: Call,
): Promise<ExecutionResult<Message>> {
  const { username, ...content } = readMessageBody<ExecuteWebhookBody>(EXECUTION_BODY, sent);
  const { message } = await chat.createWebhookMessage(
    { ...authorOf(webhook, username), ...content },
    { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
  );
  return posted(message);
}

/** Posts a chat tool's payload (docs/webhooks.md#chat-tool-format). */
export async function postChatcompat(
  { chat }: PostDeps,
  webhook: ExecutedWebhook,
  sent: ProviderBody,
  call: Call,
): Promise<ExecutionResult<Message>> {
  const { username, content, embeds } = readChatcompat(sent);
  const { message } = await chat.createWebhookMessage(
    { ...authorOf(webhook, username), content, embeds, allowed_mentions: NO_MENTIONS },
    { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
  );
  return posted(message);
}

/** Posts a code host's event (docs/webhooks.md#code-host-format). */
export function postCodehost(
  deps: PostDeps,
  webhook: ExecutedWebhook,
  sent: SentPayload,
  call: Call,
): Promise<ExecutionResult<Record<string, never>>> {
  const event = {
    provider: 'codehost',
    render: (payload: JsonObject) => renderCodehost(sent.event, payload),
    deduplication_key: sent.delivery?.trim() || null,
  } as const;
  return postEvent(deps, webhook, event, sent, call);
}

/** Only a message with a deduplication key may be missing. */
function posted(message: Message | null | undefined): ExecutionResult<Message> {
  if (message == null) throw new Error('chat answered without the message');
  return { answer: message, message_id: message.id };
}
