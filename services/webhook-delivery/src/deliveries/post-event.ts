import { Fault, Status } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import type { JsonObject } from '../execution/json-object.ts';
import { MESSAGE_TIMEOUT_MS, NO_MENTIONS } from '../execution/message-author.ts';
import { type ProviderBody, renderEventBody } from '../execution/payload.ts';
import type { Rendering } from '../execution/rendering.ts';
import type { UnpostedOutcome } from '../store/delivery.ts';
import type { ExecutedWebhook } from '../store/webhooks.ts';
import type { ExecutionResult } from './execution-tracker.ts';

/** The names under which providers' events are posted. These messages have no avatar. */
export const PROVIDER_NAMES = { codehost: 'Code host', statuspage: 'Status page' } as const;

export interface ProviderEvent {
  readonly provider: keyof typeof PROVIDER_NAMES;
  readonly render: (payload: JsonObject) => Rendering<EmbedInput>;
  /** Only the first event with this key is posted. Every event without a key is. */
  readonly deduplication_key?: string | null;
}

/**
 * Renders a provider's event and posts its embed. The provider gets an error if the channel is gone or a service is
 * unavailable. It gets none if the event cannot be shown, because it could not fix that (docs/webhooks.md#always-204).
 *
 * @throws INVALID_FORM_BODY for a multipart body
 */
export async function postEvent(
  { chat }: Pick<Deps, 'chat'>,
  { id: webhook_id, channel_id, fence }: ExecutedWebhook,
  { provider, render, deduplication_key = null }: ProviderEvent,
  body: ProviderBody,
  call: Call,
): Promise<ExecutionResult<Record<string, never>>> {
  const rendering = renderEventBody(body, render);
  if ('nothing' in rendering) return notPosted({ outcome: 'nothing', reason: rendering.nothing });
  const username = PROVIDER_NAMES[provider];
  const content = { embeds: [rendering.message], allowed_mentions: NO_MENTIONS, deduplication_key };
  try {
    const { message } = await chat.createWebhookMessage(
      { webhook_id, channel_id, fence, username, ...content },
      { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
    );
    return message == null
      ? notPosted({ outcome: 'duplicate', reason: 'delivery_seen' })
      : { answer: {}, message_id: message.id };
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
    call.log.error({ webhook_id, violations: error.violations }, 'chat refused the embed of an event');
    return notPosted({ outcome: 'refused', reason: 'refused_by_chat' });
  }
}

function notPosted(unposted: UnpostedOutcome): ExecutionResult<Record<string, never>> {
  return { answer: {}, unposted };
}
