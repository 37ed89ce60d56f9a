import { Fault, Status, type Violation } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { Embed } from '@gatehouse/proto/chat';
import { refusedReason } from '../deliveries/refused-reason.ts';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS, NO_MENTIONS } from '../execution/message-author.ts';
import type { RenderedMessage } from '../render.ts';
import type { RefusedReason } from '../store/delivery.ts';

/** Stands for the name of a webhook, which is valid. */
const WEBHOOK_NAME = 'Webhook';

/** The embeds as chat would store them, or the reason why it would refuse the message. */
export type CheckedMessage =
  | { readonly embeds: readonly Embed[] }
  | { readonly reason: RefusedReason; readonly violations: readonly Violation[] };

/** Lets chat check a message, as it does before it posts one. */
export async function checkByChat(
  { chat }: Pick<Deps, 'chat'>,
  { content, username, embeds, allowed_mentions = NO_MENTIONS }: RenderedMessage,
  call: Call,
): Promise<CheckedMessage> {
  const author = { webhook_id: '0', channel_id: '0', username: username ?? WEBHOOK_NAME };
  const message = { content, embeds: [...embeds], allowed_mentions, check_only: true };
  try {
    const options = { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS };
    return { embeds: (await chat.createWebhookMessage({ ...author, ...message }, options)).embeds };
  } catch (error) {
    const reason = refusedReason(error, undefined);
    if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT || reason === undefined)
      throw error;
    return { reason, violations: error.violations };
  }
}
