import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { notAnId, unknownWebhook, wrongToken } from '../errors.ts';
import type { ExecutedWebhook } from '../store/webhooks.ts';
import { tokensEqual } from './token.ts';

/** The credential in the path of a token route. */
export interface Credential {
  readonly webhook_id: string;
  readonly token: string;
}

/** Finds the webhook with this credential. Its 404 and 401 come before any error of the body. */
export async function authenticateWebhook(
  { webhooks }: Pick<Deps, 'webhooks'>,
  { webhook_id, token }: Credential,
): Promise<ExecutedWebhook> {
  requireId('webhook_id', webhook_id);
  const webhook = await webhooks.find(webhook_id);
  if (webhook === undefined) throw unknownWebhook();
  if (!tokensEqual(token, webhook.token)) throw wrongToken();
  return webhook;
}

/** Locates a message of the webhook with this credential, in the webhook's current channel. */
export async function locateMessage(
  deps: Pick<Deps, 'webhooks'>,
  { message_id, ...credential }: Credential & { readonly message_id: string },
): Promise<{ readonly webhook_id: string; readonly channel_id: string; readonly message_id: string }> {
  const { id: webhook_id, channel_id } = await authenticateWebhook(deps, credential);
  requireId('message_id', message_id);
  return { webhook_id, channel_id, message_id };
}

export function requireId(path: string, id: string): void {
  if (!isSnowflake(id)) throw notAnId(path);
}
