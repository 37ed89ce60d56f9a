import { Fault, Status } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { NO_MENTIONS, POST_TIMEOUT_MS } from './execution.ts';

/**
 * Posts a provider's event under the provider's name, without content and avatar. The provider gets an error
 * when the channel is gone or a service is down. When its event cannot be shown it gets none: it could do
 * nothing about that (docs/webhooks.md#always-204).
 */
export async function postEmbed(
  { chat }: Pick<Deps, 'chat'>,
  { id: webhook_id, channel_id }: WebhookRow,
  username: string,
  embed: EmbedInput,
  call: Call,
): Promise<void> {
  try {
    await chat.createWebhookMessage(
      { webhook_id, channel_id, username, embeds: [embed], allowed_mentions: NO_MENTIONS },
      { within: call, timeoutMs: POST_TIMEOUT_MS },
    );
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
    call.log.error({ webhook_id, violations: error.violations }, 'chat refused the embed of an event');
  }
}
