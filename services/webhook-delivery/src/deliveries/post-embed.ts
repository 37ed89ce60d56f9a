import { Fault, Status } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS, NO_MENTIONS } from '../execution/execution.ts';
import type { NothingReason, Unposted } from '../store/delivery.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import type { ExecutionResult } from './execution-tracker.ts';

/** The names that providers' events are posted under. They have no avatar. */
export const PROVIDER_NAMES = { codehost: 'Code host', statuspage: 'Status page' } as const;

interface ProviderEvent {
  readonly embed: EmbedInput;
  readonly provider: keyof typeof PROVIDER_NAMES;
  /** Only the first of several events with the same key is posted; null: each is. */
  readonly deduplication_key?: string | null;
}

/** The result of a code host or status page route. Its answer is empty. */
export type EventResult = ExecutionResult<Record<string, never>>;

/**
 * Posts a provider's event. The provider gets an error if the channel is gone or a service is unavailable. It gets none
 * if the event cannot be shown, because it could not fix that (docs/webhooks.md#always-204).
 */
export async function postEmbed(
  { chat }: Pick<Deps, 'chat'>,
  { id: webhook_id, channel_id }: WebhookRow,
  { embed, provider, deduplication_key = null }: ProviderEvent,
  call: Call,
): Promise<EventResult> {
  const username = PROVIDER_NAMES[provider];
  const what = { embeds: [embed], allowed_mentions: NO_MENTIONS, deduplication_key };
  try {
    const { message } = await chat.createWebhookMessage(
      { webhook_id, channel_id, username, ...what },
      { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
    );
    return message === null ? unposted({ outcome: 'duplicate', reason: 'delivery_seen' }) : { answer: {} };
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
    call.log.error({ webhook_id, violations: error.violations }, 'chat refused the embed of an event');
    return unposted({ outcome: 'refused', reason: 'refused_by_chat' });
  }
}

/** The result for an event without anything to show. */
export function nothingToPost(reason: NothingReason): EventResult {
  return unposted({ outcome: 'nothing', reason });
}

function unposted(what: Unposted): EventResult {
  return { answer: {}, unposted: what };
}
