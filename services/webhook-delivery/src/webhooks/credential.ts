import { isSnowflake } from '@gatehouse/kit/snowflake';
import { notAnId, unknownWebhook, wrongToken } from '../errors.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { sameToken } from './token.ts';

/** The credential of a token route, as its path has it. */
export interface Credential {
  readonly webhook_id: string;
  readonly token: string;
}

/** The webhook with this credential. It comes before all checks of the body: 404 and 401 first. */
export async function openWebhook(
  find: (id: string) => Promise<WebhookRow | undefined>,
  { webhook_id, token }: Credential,
): Promise<WebhookRow> {
  requireId('webhook_id', webhook_id);
  const webhook = await find(webhook_id);
  if (webhook === undefined) throw unknownWebhook();
  if (!sameToken(token, webhook.token)) throw wrongToken();
  return webhook;
}

/** Where chat finds a message that the webhook with this credential posted: in the channel that it is in now. */
export async function openMessage(
  find: (id: string) => Promise<WebhookRow | undefined>,
  { message_id, ...credential }: Credential & { readonly message_id: string },
): Promise<{ readonly webhook_id: string; readonly channel_id: string; readonly message_id: string }> {
  const { id: webhook_id, channel_id } = await openWebhook(find, credential);
  requireId('message_id', message_id);
  return { webhook_id, channel_id, message_id };
}

export function requireId(path: string, id: string): void {
  if (!isSnowflake(id)) throw notAnId(path);
}
