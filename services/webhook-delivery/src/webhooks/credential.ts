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

export function requireId(path: string, id: string): void {
  if (!isSnowflake(id)) throw notAnId(path);
}
