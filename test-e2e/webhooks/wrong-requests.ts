import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import { raw, request } from '../support/raw.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook, postWebhook } from './calls.ts';

export function wrongRequests(stack: TestStack): void {
  const api = () => withGlobalRetry(stack.api);

  describe('an unknown route', () => {
    it('is 404 NOT_FOUND, whether its method or its path is unknown', async () => {
      const { owner, path, webhook, channel, guild } = await openWebhook(stack);
      for (const [method, at] of [
        ['PUT', path],
        ['PUT', `/webhooks/${webhook.id}`],
        ['POST', `/webhooks/${webhook.id}`],
        ['POST', `/guilds/${guild.id}/webhooks`],
        ['DELETE', `/channels/${channel.id}/webhooks`],
        ['GET', `${path}/chatcompat`],
        ['PUT', `${path}/codehost`],
        ['PATCH', `${path}/statuspage`],
        ['POST', `${path}/messages/1`],
        ['GET', `${path}/messages`],
        ['POST', `${path}/unknown`],
        ['POST', `${path}/codehost/more`],
        ['POST', `${path}/messages/1/more`],
        ['GET', '/webhooks'],
        ['GET', `/Webhooks/${webhook.id}`],
        ['POST', `${path}/ChatCompat`],
      ] as const) {
        const body =
          method === 'GET' || method === 'DELETE' ? undefined : { content: 'x', text: 'x', name: 'x' };
        for (const caller of [owner.api, api()])
          expectError(await caller.send(method, at, { body }), 404, 'NOT_FOUND');
      }
      expect(await expectOk(owner.api.get(`/channels/${channel.id}/messages`))).toEqual([]);
    });
  });

  describe('a token in the path', () => {
    it('must equal the whole token after unescaping', async () => {
      const { webhook, path, execute } = await openWebhook(stack);
      const { token } = webhook;
      const at = (written: string) => api().get(`/webhooks/${webhook.id}/${written}`);
      for (const wrong of [
        `%20${token}`,
        `${token}%20`,
        `${token}%0A`,
        '%2F',
        '%zz',
        'x'.repeat(9000),
        '%F0%9F%98%80',
        '%ED%A0%80',
      ])
        expectError(await at(wrong), 401, 'UNAUTHORIZED');
      const escaped = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
      expect((await at(escaped)).status, 'an escape is the character it stands for').toBe(200);
      expect((await execute({ content: 'x' })).status).toBe(204);
      expect((await api().get(`${path}?token=x&webhook_id=1`)).status).toBe(200);
    });
  });

  describe('headers', () => {
    it('cannot be split by line breaks in a caller’s input', async () => {
      const { owner, channel } = await openWebhook(stack);
      const made = await postWebhook(owner.api, channel.id, { name: 'a\r\nSet-Cookie: x=1' });
      expect(made.headers.get('set-cookie')).toBeNull();
      expect(made.json()).toMatchObject({ name: 'a\r\nSet-Cookie: x=1' });
      const line = `POST /api/v1/channels/${channel.id}/webhooks`;
      const bearer = `Authorization: Bearer ${owner.token}`;
      const type = 'Content-Type: application/json';
      for (const reason of ['%', '%zz', '%ff', '\xe9', '']) {
        const bytes = Buffer.from(
          request(line, [bearer, type, `X-Audit-Log-Reason: ${reason}`], '{"name":"x"}'),
          'latin1',
        );
        const { status } = await raw(stack.url, bytes);
        expect([200, 400], `a reason of ${reason}`).toContain(status);
      }
    });
  });
}
