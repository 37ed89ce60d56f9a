import { route } from '../route.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';

const MiB = 1024 * 1024;

/** Webhooks (docs/webhooks.md). On token routes the path is the whole credential. */
export const webhookRoutes = [
  route('GET /guilds/{guild_id}/webhooks', 'webhook_delivery', 'listGuildWebhooks', {
    who: 'user_or_bot',
    buckets: ['webhook:list_guild'],
    answer: 'webhooks',
  }),
  route('GET /channels/{channel_id}/webhooks', 'webhook_delivery', 'listChannelWebhooks', {
    who: 'user_or_bot',
    buckets: ['webhook:list_channel'],
    answer: 'webhooks',
  }),
  route('POST /channels/{channel_id}/webhooks', 'webhook_delivery', 'createWebhook', {
    who: 'user_or_bot',
    buckets: ['webhook:create'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('GET /webhooks/{webhook_id}', 'webhook_delivery', 'getWebhook', {
    who: 'user_or_bot',
    buckets: ['webhook:read'],
    answer: 'webhook',
  }),
  route('PATCH /webhooks/{webhook_id}', 'webhook_delivery', 'updateWebhook', {
    who: 'user_or_bot',
    buckets: ['webhook:update'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('DELETE /webhooks/{webhook_id}', 'webhook_delivery', 'deleteWebhook', {
    who: 'user_or_bot',
    buckets: ['webhook:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /webhooks/{webhook_id}/{token}', 'webhook_delivery', 'getTokenWebhook', {
    who: 'public',
    buckets: ['webhook:read'],
    answer: 'webhook',
  }),
  route('PATCH /webhooks/{webhook_id}/{token}', 'webhook_delivery', 'updateTokenWebhook', {
    who: 'public',
    buckets: ['webhook:update'],
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: 'getTokenWebhook',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'webhook',
  }),
  route('DELETE /webhooks/{webhook_id}/{token}', 'webhook_delivery', 'deleteTokenWebhook', {
    who: 'public',
    buckets: ['webhook:delete'],
    status: 204,
  }),
  route('POST /webhooks/{webhook_id}/{token}', 'webhook_delivery', 'executeWebhook', {
    who: 'public',
    buckets: ['webhook:execute'],
    global_exempt: true,
    query: ['wait'],
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: 'getTokenWebhook',
    answer: 'message',
  }),
  route('POST /webhooks/{webhook_id}/{token}/chatcompat', 'webhook_delivery', 'executeChatcompat', {
    who: 'public',
    buckets: ['webhook:execute'],
    global_exempt: true,
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: 'getTokenWebhook',
    reply: () => ({ status: 200, content_type: 'text/html', body: 'ok' }),
  }),
  route('POST /webhooks/{webhook_id}/{token}/codehost', 'webhook_delivery', 'executeCodehost', {
    who: 'public',
    buckets: ['webhook:codehost'],
    global_exempt: true,
    headers: {
      'content-type': 'content_type',
      'x-codehost-event': 'event',
      'x-codehost-delivery': 'delivery',
    },
    body: { bytes: 'body' },
    check_before_long_body: 'getTokenWebhook',
    body_limit_bytes: 25 * MiB,
    status: 204,
  }),
  route('POST /webhooks/{webhook_id}/{token}/statuspage', 'webhook_delivery', 'executeStatuspage', {
    who: 'public',
    buckets: ['webhook:statuspage'],
    global_exempt: true,
    headers: { 'content-type': 'content_type' },
    body: { bytes: 'body' },
    check_before_long_body: 'getTokenWebhook',
    body_limit_bytes: 2 * MiB,
    status: 204,
  }),
  route('GET /webhooks/{webhook_id}/{token}/messages/{message_id}', 'webhook_delivery', 'getWebhookMessage', {
    who: 'public',
    buckets: ['webhook:message_get'],
    global_exempt: true,
    answer: 'message',
  }),
  route(
    'PATCH /webhooks/{webhook_id}/{token}/messages/{message_id}',
    'webhook_delivery',
    'updateWebhookMessage',
    {
      who: 'public',
      buckets: ['webhook:message_edit'],
      global_exempt: true,
      headers: { 'content-type': 'content_type' },
      body: { bytes: 'body' },
      check_before_long_body: 'getTokenWebhook',
      answer: 'message',
    },
  ),
  route(
    'DELETE /webhooks/{webhook_id}/{token}/messages/{message_id}',
    'webhook_delivery',
    'deleteWebhookMessage',
    {
      who: 'public',
      buckets: ['webhook:message_delete'],
      global_exempt: true,
      status: 204,
    },
  ),
];
