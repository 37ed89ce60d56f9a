import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { newcomer, newWebhook, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const BODIED = new Set(['POST', 'PATCH']);

export function wrongIds(stack: TestStack): void {
  describe('an ID in a path', () => {
    /** Method, path as a function of the ID, names of the ID in errors, and the code for an unknown ID. */
    const routes: [string, (id: string, hook: WebhookFixture) => string, string[], string][] = [
      ['GET', (id) => `/guilds/${id}`, ['guild_id'], 'NOT_FOUND'],
      ['GET', (id) => `/guilds/${id}/channels`, ['guild_id'], 'NOT_FOUND'],
      ['GET', (id) => `/channels/${id}`, ['channel_id'], 'NOT_FOUND'],
      ['GET', (id) => `/channels/${id}/messages`, ['channel_id'], 'NOT_FOUND'],
      ['POST', (id) => `/channels/${id}/messages`, ['channel_id'], 'NOT_FOUND'],
      ['GET', (id) => `/channels/${id}/messages/1`, ['channel_id'], 'NOT_FOUND'],
      ['GET', (id, hook) => `/channels/${hook.channel.id}/messages/${id}`, ['message_id'], 'UNKNOWN_MESSAGE'],
      ['GET', (id) => `/guilds/${id}/webhooks`, ['guild_id'], 'NOT_FOUND'],
      ['GET', (id) => `/channels/${id}/webhooks`, ['channel_id'], 'NOT_FOUND'],
      ['POST', (id) => `/channels/${id}/webhooks`, ['channel_id'], 'NOT_FOUND'],
      ['GET', (id) => `/webhooks/${id}`, ['webhook_id'], 'NOT_FOUND'],
      ['PATCH', (id) => `/webhooks/${id}`, ['webhook_id'], 'NOT_FOUND'],
      ['DELETE', (id) => `/webhooks/${id}`, ['webhook_id'], 'NOT_FOUND'],
      ['GET', (id, hook) => `/webhooks/${id}/${hook.webhook.token}`, ['webhook_id'], 'NOT_FOUND'],
      ['POST', (id, hook) => `/webhooks/${id}/${hook.webhook.token}`, ['webhook_id'], 'NOT_FOUND'],
      ['POST', (id, hook) => `/webhooks/${id}/${hook.webhook.token}/chatcompat`, ['webhook_id'], 'NOT_FOUND'],
      ['POST', (id, hook) => `/webhooks/${id}/${hook.webhook.token}/codehost`, ['webhook_id'], 'NOT_FOUND'],
      ['GET', (id, hook) => `/webhooks/${id}/${hook.webhook.token}/messages/1`, ['webhook_id'], 'NOT_FOUND'],
      ['PATCH', (id, hook) => `/webhooks/${id}/${hook.webhook.token}`, ['webhook_id'], 'NOT_FOUND'],
      ['DELETE', (id, hook) => `/webhooks/${id}/${hook.webhook.token}`, ['webhook_id'], 'NOT_FOUND'],
      ['GET', (id, hook) => `${hook.path}/messages/${id}`, ['message_id'], 'UNKNOWN_MESSAGE'],
      ['PATCH', (id, hook) => `${hook.path}/messages/${id}`, ['message_id'], 'UNKNOWN_MESSAGE'],
      ['DELETE', (id, hook) => `${hook.path}/messages/${id}`, ['message_id'], 'UNKNOWN_MESSAGE'],
      ['GET', (id) => `/oauth2/applications/${id}`, ['application_id', 'id'], 'UNKNOWN_APPLICATION'],
    ];

    const send = (api: Api, method: string, path: string) =>
      api.send(method, path, BODIED.has(method) ? { body: { name: 'x', content: 'x', text: 'x' } } : {});

    it('is refused if malformed, before any lookup, on every route', async () => {
      const hook = await newWebhook(stack.api);
      const { api } = hook.owner;
      for (const [method, path, names, absent] of routes) {
        const reply = await send(api, method, path('0x1', hook));
        const { errors = [] } = expectError(reply, 400, 'INVALID_FORM_BODY');
        expect(errors.map(({ code }) => code)).toEqual(['INVALID_SNOWFLAKE_FORMAT']);
        expect(names).toContain(errors[0]?.path);
        expectError(await send(api, method, path('1', hook)), 404, absent);
      }
    });

    it('is refused if malformed in a query too', async () => {
      const hook = await newWebhook(stack.api);
      const { api } = hook.owner;
      for (const name of ['before', 'after']) {
        const reply = await api.get(`/channels/${hook.channel.id}/messages?${name}=0x1`);
        expectError(reply, 400, 'INVALID_FORM_BODY', { [name]: 'INVALID_SNOWFLAKE_FORMAT' });
      }
      for (const limit of ['0', '101', '-1', '1.5', 'ten', '1e1', '99999999999999999999']) {
        const reply = await api.get(`/channels/${hook.channel.id}/messages?limit=${limit}`);
        expectError(reply, 400, 'INVALID_FORM_BODY', { limit: 'VALUE_MUST_BE_INTEGER_IN_RANGE' });
      }
      expect((await api.get(`/channels/${hook.channel.id}/messages?limit=1&limit=2`)).status).toBeLessThan(
        500,
      );
      expect((await api.get(`/channels/${hook.channel.id}/messages?unknown=%zz&limit=1`)).status).toBe(200);
    });

    it('of somebody else’s object is 403', async () => {
      const hook = await newWebhook(stack.api);
      const { api } = await newcomer(stack.api);
      for (const path of [`/guilds/${hook.guild.id}`, `/channels/${hook.channel.id}`]) {
        const reply = await api.get(path);
        expect(reply.status, path).toBe(403);
        expect(['FORBIDDEN', 'MISSING_ACCESS', 'MISSING_PERMISSIONS']).toContain(
          reply.json<{ code: string }>().code,
        );
      }
      expectError(await api.post(`/channels/${hook.channel.id}/webhooks`, { name: 'x' }), 403, 'FORBIDDEN');
      const application = await hook.owner.api.post('/oauth2/applications', { name: 'x' });
      const { id } = application.json<{ id: string }>();
      expectError(await api.get(`/oauth2/applications/${id}`), 403, 'FORBIDDEN');
    });
  });
}
