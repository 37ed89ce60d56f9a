import type { CallOptions } from './call-options.ts';
import { type ClientOptions, createClient } from './client.ts';
import type { paths } from './generated/api.ts';

type WebhookPath = paths['/webhooks/{webhook_id}/{token}'];
type MessagePath = paths['/webhooks/{webhook_id}/{token}/messages/{message_id}'];

export type WebhookMessage = WebhookPath['post']['requestBody']['content']['application/json'];
export type WebhookMessageEdit = MessagePath['patch']['requestBody']['content']['application/json'];
export type PostedMessage = MessagePath['get']['responses'][200]['content']['application/json'];

/** Posts messages by a webhook's URL, which is its whole credential. */
export interface WebhookClient {
  /** Posts a message, and returns it once it is stored. */
  send(message: WebhookMessage, options?: CallOptions): Promise<PostedMessage>;
  /** A message that this webhook posted. */
  get(messageId: string, options?: CallOptions): Promise<PostedMessage>;
  edit(messageId: string, message: WebhookMessageEdit, options?: CallOptions): Promise<PostedMessage>;
  delete(messageId: string, options?: CallOptions): Promise<void>;
}

/** @throws TypeError, RangeError */
export function webhookClient(
  url: string,
  options: Omit<ClientOptions, 'baseUrl' | 'session' | 'bot' | 'accessToken'> = {},
): WebhookClient {
  const [, baseUrl, webhook_id, token] =
    /^(https?:\/\/.+\/api\/v1)\/webhooks\/(\d+)\/([\w-]+)$/.exec(url) ?? [];
  // The message must not contain the URL.
  if (baseUrl === undefined || webhook_id === undefined || token === undefined)
    throw new TypeError("url is no webhook's URL: https://…/api/v1/webhooks/{webhook_id}/{token}");
  const client = createClient({ ...options, baseUrl });
  const webhook = { webhook_id, token };
  const of = (message_id: string) => ({ params: { path: { ...webhook, message_id } } });
  const messages = '/webhooks/{webhook_id}/{token}/messages/{message_id}';
  return {
    async send(body, call) {
      const params = { path: webhook, query: { wait: 'true' } };
      const { data } = await client.POST('/webhooks/{webhook_id}/{token}', { ...call, params, body });
      // With `wait` the answer is never 204.
      return data as PostedMessage;
    },
    get: async (id, call) => (await client.GET(messages, { ...call, ...of(id) })).data,
    edit: async (id, body, call) => (await client.PATCH(messages, { ...call, ...of(id), body })).data,
    delete: async (id, call) => {
      await client.DELETE(messages, { ...call, ...of(id) });
    },
  };
}
