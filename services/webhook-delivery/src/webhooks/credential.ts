import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { notAnId, unknownWebhook, wrongToken } from '../errors.ts';
import type { ExecutedWebhook } from '../store/webhooks.ts';
import { tokensEqual } from './token.ts';
import { withCurrentCheck } from './with-current-check.ts';

/** The credential in the path of a token route. */
export interface Credential {
  readonly webhook_id: string;
  readonly token: string;
}

/**
 * Finds the webhook with this credential. Its 404 and 401 come before any error of the body. A webhook that is disabled,
 * or whose creator is suspended, has no right token (docs/webhooks.md#disabled-webhooks).
 */
export async function authenticateWebhook(
  { webhooks }: Pick<Deps, 'webhooks'>,
  { webhook_id, token }: Credential,
): Promise<ExecutedWebhook> {
  requireId('webhook_id', webhook_id);
  const webhook = await webhooks.find(webhook_id);
  if (webhook === undefined) throw unknownWebhook();
  if (!tokensEqual(token, webhook.token) || webhook.is_refused) throw wrongToken();
  return webhook;
}

/** Runs a request with the webhook that has this credential, at chat too. */
export function withAuthenticatedWebhook<R>(
  deps: Pick<Deps, 'webhooks' | 'db'>,
  credential: Credential,
  run: (webhook: ExecutedWebhook) => Promise<R>,
): Promise<R> {
  return withCurrentCheck(deps, () => authenticateWebhook(deps, credential), run);
}

/** A message of a webhook, and the fence at the check of the credential. */
interface LocatedMessage {
  readonly webhook_id: string;
  readonly channel_id: string;
  readonly message_id: string;
  readonly fence: number;
}

/** Locates a message of the webhook with this credential, in the webhook's current channel. */
export async function locateMessage(
  deps: Pick<Deps, 'webhooks'>,
  { message_id, ...credential }: Credential & { readonly message_id: string },
): Promise<LocatedMessage> {
  const { id: webhook_id, channel_id, fence } = await authenticateWebhook(deps, credential);
  requireId('message_id', message_id);
  return { webhook_id, channel_id, message_id, fence };
}

export function requireId(path: string, id: string): void {
  if (!isSnowflake(id)) throw notAnId(path);
}
