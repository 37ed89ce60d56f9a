import type { Handlers } from '@gatehouse/kit/rpc';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { WebhookDeliveryAdminServiceDefinition } from '@gatehouse/proto/webhook-delivery-admin';
import type { Deps } from '../deps.ts';
import { disableWebhook } from './admin/disable-webhook.ts';
import { enableWebhook } from './admin/enable-webhook.ts';
import { findWebhooks } from './admin/find-webhooks.ts';
import { getAdminWebhook } from './admin/get-admin-webhook.ts';
import { listNoisyWebhooks } from './admin/list-noisy-webhooks.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteTokenWebhook } from './delete-token-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { deleteWebhookMessage } from './delete-webhook-message.ts';
import { endChannels } from './end-channels.ts';
import { executeChatcompat } from './execute-chatcompat.ts';
import { executeCodehost } from './execute-codehost.ts';
import { executeStatuspage } from './execute-statuspage.ts';
import { executeWebhook } from './execute-webhook.ts';
import { exportAccount } from './export-account.ts';
import { getTokenWebhook } from './get-token-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { getWebhookMessage } from './get-webhook-message.ts';
import { getWebhookSettings } from './get-webhook-settings.ts';
import { listChannelWebhooks } from './list-channel-webhooks.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listGuildWebhooks } from './list-guild-webhooks.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { previewWebhook } from './preview-webhook.ts';
import { recordRefusals } from './record-refusals.ts';
import { retryDelivery } from './retry-delivery.ts';
import { setAccountSuspended } from './set-account-suspended.ts';
import { testWebhook } from './test-webhook.ts';
import { updateTokenWebhook } from './update-token-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import { updateWebhookMessage } from './update-webhook-message.ts';
import { updateWebhookSettings } from './update-webhook-settings.ts';

/** Every RPC of the service. */
export const webhookDeliveryHandlers = (deps: Deps): Handlers<typeof WebhookDeliveryServiceDefinition> => ({
  createWebhook: createWebhook(deps),
  deleteTokenWebhook: deleteTokenWebhook(deps),
  deleteWebhookMessage: deleteWebhookMessage(deps),
  deleteWebhook: deleteWebhook(deps),
  endChannels: endChannels(deps),
  exportAccount: exportAccount(deps),
  executeChatcompat: executeChatcompat(deps),
  executeCodehost: executeCodehost(deps),
  executeStatuspage: executeStatuspage(deps),
  executeWebhook: executeWebhook(deps),
  getTokenWebhook: getTokenWebhook(deps),
  getWebhookMessage: getWebhookMessage(deps),
  getWebhook: getWebhook(deps),
  getWebhookSettings: getWebhookSettings(deps),
  listChannelWebhooks: listChannelWebhooks(deps),
  listDeliveries: listDeliveries(deps),
  listGuildWebhooks: listGuildWebhooks(deps),
  listWebhookDeliveries: listWebhookDeliveries(deps),
  previewWebhook: previewWebhook(deps),
  recordRefusals: recordRefusals(deps),
  retryDelivery: retryDelivery(deps),
  setAccountSuspended: setAccountSuspended(deps),
  testWebhook: testWebhook(deps),
  updateTokenWebhook: updateTokenWebhook(deps),
  updateWebhookMessage: updateWebhookMessage(deps),
  updateWebhookSettings: updateWebhookSettings(deps),
  updateWebhook: updateWebhook(deps),
});

/** Every RPC for operators. */
export const webhookDeliveryAdminHandlers = (
  deps: Deps,
): Handlers<typeof WebhookDeliveryAdminServiceDefinition> => ({
  disableWebhook: disableWebhook(deps),
  enableWebhook: enableWebhook(deps),
  findWebhooks: findWebhooks(deps),
  getAdminWebhook: getAdminWebhook(deps),
  listNoisyWebhooks: listNoisyWebhooks(deps),
});
