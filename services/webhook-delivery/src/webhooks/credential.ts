import { isSnowflake } from '@gatehouse/kit/snowflake';
import { notAnId, unknownWebhook, wrongToken } from '../errors.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { sameToken } from './token.ts';

/** What a token route's path holds: the whole credential. */
export interface Credential {
  readonly webhook_id: string;
  readonly token: string;
}

/** The webhook that a credential opens, found by its ID. Before this, nothing is said of a body. */
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

export function requireId(path: string, id: string): void {
  if (!isSnowflake(id)) throw notAnId(path);
}
