import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import { raw, request } from '../support/raw.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook } from './calls.ts';

export function oddWebhookRequests(stack: TestStack): void {
  describe('an unusual request', () => {
    it('cannot override the method by a header or parameter', async () => {
      const { path, execute, owner, webhook } = await openWebhook(stack);
      const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
      expect((await stack.api.post(path, { content: 'x', _method: 'DELETE' }, override)).status).toBe(204);
      expect((await execute({ content: 'x' }, '?_method=DELETE')).status).toBe(204);
      expect(await expectOk(owner.api.get(`/webhooks/${webhook.id}`))).toEqual(webhook);
    });

    it('has no parameters after a semicolon, and needs a token', async () => {
      const { path, owner, webhook } = await openWebhook(stack);
      expectError(await owner.api.get(`/webhooks/${webhook.id};a=1`), 400, 'INVALID_FORM_BODY', {
        webhook_id: 'INVALID_SNOWFLAKE_FORMAT',
      });
      expectError(await stack.api.get(`${path};a=1`), 401, 'UNAUTHORIZED');
      for (const [method, at] of [
        ['GET', ''],
        ['POST', ''],
        ['DELETE', ''],
        ['POST', '/codehost'],
      ] as const) {
        const body = method === 'POST' ? { content: 'x' } : undefined;
        const { status } = await stack.api.send(method, `/webhooks/${webhook.id}/${at}`, { body });
        expect([401, 404], `${method} ${at}`).toContain(status);
      }
      expect(await expectOk(owner.api.get(`/webhooks/${webhook.id}`))).toEqual(webhook);
    });

    it('with two Authorization headers has no credential, and with two event headers no event', async () => {
      const { path, owner, webhook, messages } = await openWebhook(stack);
      const bearer = `Authorization: Bearer ${owner.token}`;
      const twice = (line: string, headers: string[], body?: string) =>
        raw(stack.url, request(line, headers, body));
      expectError(await twice(`GET /api/v1/webhooks/${webhook.id}`, [bearer, bearer]), 401, 'UNAUTHORIZED');
      expect((await twice(`GET /api/v1${path}`, [bearer, bearer])).status).toBe(200);
      const body = JSON.stringify({ repository: { full_name: 'a/b', name: 'b' } });
      const events = [
        'X-Codehost-Event: public',
        'X-Codehost-Event: watch',
        'Content-Type: application/json',
      ];
      expect((await twice(`POST /api/v1${path}/codehost`, events, body)).status).toBe(204);
      expect(await messages()).toEqual([]);
    });

    it('does not get the token of its path in the response', async () => {
      const { path, webhook, execute } = await openWebhook(stack);
      for (const reply of [
        await execute('{'),
        await execute({ content: 5 }),
        await stack.api.get(`${path}/messages/x`),
        await stack.api.send('PUT', path, { body: {} }),
        await stack.api.get(`${path}/nothing/here`),
        await stack.api.get(`/webhooks/4/${webhook.token}`),
      ]) {
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.text + [...reply.headers.values()].join()).not.toContain(webhook.token);
      }
    });
  });
}
