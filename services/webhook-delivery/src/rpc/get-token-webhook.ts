import type { Handler } from '@gatehouse/kit/rpc';
import type { GetTokenWebhookRequest, GetTokenWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { openWebhook } from '../webhooks/credential.ts';
import { tokenWebhook } from '../webhooks/webhook.ts';

export function getTokenWebhook(deps: Deps): Handler<GetTokenWebhookRequest, GetTokenWebhookResponse> {
  return async (request) => ({ webhook: tokenWebhook(await openWebhook(deps, request)) });
}
