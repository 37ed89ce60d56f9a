import type { Handlers } from '@gatehouse/kit/rpc';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { createWebhook } from './create-webhook.ts';
import { endChannels } from './end-channels.ts';
import { executeChatcompat } from './execute-chatcompat.ts';
import { executeCodehost } from './execute-codehost.ts';
import { executeWebhook } from './execute-webhook.ts';
import { getTokenWebhook } from './get-token-webhook.ts';
import { getWebhookMessage } from './get-webhook-message.ts';

export const webhookDeliveryHandlers = (deps: Deps): Handlers<typeof WebhookDeliveryServiceDefinition> => ({
  createWebhook: createWebhook(deps),
  getTokenWebhook: getTokenWebhook(deps),
  executeWebhook: executeWebhook(deps),
  executeChatcompat: executeChatcompat(deps),
  executeCodehost: executeCodehost(deps),
  endChannels: endChannels(deps),
  getWebhookMessage: getWebhookMessage(deps),
});
