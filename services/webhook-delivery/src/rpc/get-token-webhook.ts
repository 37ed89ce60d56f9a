import type { Handler } from '@gatehouse/kit/rpc';
import type { GetTokenWebhookRequest, GetTokenWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { openWebhook } from '../credential.ts';
import type { Deps } from '../deps.ts';
import { tokenWebhook } from '../webhook.ts';

export function getTokenWebhook(deps: Deps): Handler<GetTokenWebhookRequest, GetTokenWebhookResponse> {
  return async (request) => ({ webhook: tokenWebhook(await openWebhook(deps, request)) });
}
