import { route } from '../route.ts';
import { webhookDelivery } from '../service-definitions.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';

const MiB = 1024 * 1024;
/** A payload of 2 MiB as a JSON string, in which a character may take twice its length. */
const PREVIEW_BODY_BYTES = 5 * MiB;

/** Webhooks (docs/webhooks.md). On token routes the path is the whole credential. */
export const webhookRoutes = [
  route('GET /guilds/{guild_id}/webhooks', webhookDelivery.listGuildWebhooks, {
    access: 'user_or_bot',
    buckets: ['webhook:list_guild'],
    answer: 'webhooks',
  }),
  route('GET /channels/{channel_id}/webhooks', webhookDelivery.listChannelWebhooks, {
    access: 'user_or_bot',
    buckets: ['webhook:list_channel'],
    answer: 'webhooks',
  }),
  route('POST /channels/{channel_id}/webhooks', webhookDelivery.createWebhook, {
    access: 'user_or_bot',
    buckets: ['webhook:create'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('GET /webhooks/{webhook_id}', webhookDelivery.getWebhook, {
    access: 'user_or_bot',
    buckets: ['webhook:read'],
    answer: 'webhook',
  }),
  route('PATCH /webhooks/{webhook_id}', webhookDelivery.updateWebhook, {
    access: 'user_or_bot',
    buckets: ['webhook:update'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('DELETE /webhooks/{webhook_id}', webhookDelivery.deleteWebhook, {
    access: 'user_or_bot',
    buckets: ['webhook:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /webhooks/{webhook_id}/deliveries', webhookDelivery.listWebhookDeliveries, {
    access: 'user_or_bot',
    buckets: ['webhook:read'],
    query: ['outcome', 'before', 'limit'],
    answer: 'deliveries',
  }),
  route('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/retry', webhookDelivery.retryDelivery, {
    access: 'user_or_bot',
    buckets: ['webhook:execute'],
    answer: 'delivery',
  }),
  route('POST /webhooks/{webhook_id}/test', webhookDelivery.testWebhook, {
    access: 'user_or_bot',
    buckets: ['webhook:execute'],
    body: 'optional_json',
    answer: 'delivery',
  }),
  route('POST /webhooks/preview', webhookDelivery.previewWebhook, {
    access: 'user_or_bot',
    buckets: [],
    body: 'json',
    body_limit_bytes: PREVIEW_BODY_BYTES,
  }),
  route('GET /guilds/{guild_id}/webhook-settings', webhookDelivery.getWebhookSettings, {
    access: 'user_or_bot',
    buckets: ['webhook:list_guild'],
    answer: 'settings',
  }),
  route('PATCH /guilds/{guild_id}/webhook-settings', webhookDelivery.updateWebhookSettings, {
    access: 'user_or_bot',
    buckets: [],
    body: 'json',
    answer: 'settings',
  }),
  route('GET /webhooks/{webhook_id}/{token}', webhookDelivery.getTokenWebhook, {
    access: 'public',
    buckets: ['webhook:read'],
    answer: 'webhook',
  }),
  route('PATCH /webhooks/{webhook_id}/{token}', webhookDelivery.updateTokenWebhook, {
    access: 'public',
    buckets: ['webhook:update'],
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('DELETE /webhooks/{webhook_id}/{token}', webhookDelivery.deleteTokenWebhook, {
    access: 'public',
    buckets: ['webhook:delete'],
    status: 204,
  }),
  route('POST /webhooks/{webhook_id}/{token}', webhookDelivery.executeWebhook, {
    dialect: 'webhook',
    access: 'public',
    buckets: ['webhook:execute'],
    global_exempt: true,
    query: ['wait'],
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    answer: 'message',
  }),
  route('POST /webhooks/{webhook_id}/{token}/chatcompat', webhookDelivery.executeChatcompat, {
    dialect: 'chatcompat',
    access: 'public',
    buckets: ['webhook:execute'],
    global_exempt: true,
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    reply: () => ({ status: 200, content_type: 'text/html', body: 'ok' }),
  }),
  route('POST /webhooks/{webhook_id}/{token}/codehost', webhookDelivery.executeCodehost, {
    dialect: 'codehost',
    access: 'public',
    buckets: ['webhook:codehost'],
    global_exempt: true,
    headers: {
      'content-type': 'content_type',
      'x-codehost-event': 'event',
      'x-codehost-delivery': 'delivery',
    },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    body_limit_bytes: 25 * MiB,
    status: 204,
  }),
  route('POST /webhooks/{webhook_id}/{token}/statuspage', webhookDelivery.executeStatuspage, {
    dialect: 'statuspage',
    access: 'public',
    buckets: ['webhook:statuspage'],
    global_exempt: true,
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    body_limit_bytes: 2 * MiB,
    status: 204,
  }),
  route('GET /webhooks/{webhook_id}/{token}/messages/{message_id}', webhookDelivery.getWebhookMessage, {
    access: 'public',
    buckets: ['webhook:message_get'],
    global_exempt: true,
    answer: 'message',
  }),
  route('PATCH /webhooks/{webhook_id}/{token}/messages/{message_id}', webhookDelivery.updateWebhookMessage, {
    access: 'public',
    buckets: ['webhook:message_edit'],
    global_exempt: true,
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: webhookDelivery.getTokenWebhook,
    answer: 'message',
  }),
  route('DELETE /webhooks/{webhook_id}/{token}/messages/{message_id}', webhookDelivery.deleteWebhookMessage, {
    access: 'public',
    buckets: ['webhook:message_delete'],
    global_exempt: true,
    status: 204,
  }),
];
