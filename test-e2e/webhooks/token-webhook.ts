import { describe, expect, it } from 'vitest';
import { ok } from '../chat/guild-fixture.ts';
import { unhurried } from '../support/api.ts';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import type { Webhook } from '../support/objects.ts';
import { newcomer } from '../support/people.ts';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

export function tokenWebhook(suite: TestSuite): void {
  describe('a token webhook', () => {
    it('is the webhook without its user, not to be stored, the same for whoever asks', async () => {
      const { path, webhook, owner } = await openHook(suite);
      const { user: _, ...shown } = webhook;
      const stranger = await newcomer(unhurried(suite.api));
      for (const api of [suite.api, owner.api, stranger.api, unhurried(suite.api).as('Bearer nonsense')]) {
        const reply = await api.get(path);
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
        expect(reply.json()).toEqual(shown);
      }
      const changed = await unhurried(suite.api).send('PATCH', path, { body: { name: 'n' } });
      expect(changed.headers.get('cache-control')).toBe('no-store');
      expect(changed.json()).toEqual({ ...shown, name: 'n' });
    });

    it('is changed by the rules of the management update', async () => {
      const { path, webhook, owner } = await openHook(suite);
      const send = (body: unknown) => unhurried(suite.api).send('PATCH', path, { body });
      const avatar = png(3, 9).toString('base64');
      const faced = await ok<Webhook>(send({ avatar }));
      expect(faced).toMatchObject({ name: webhook.name, avatar: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect((await ok<Webhook>(send({ name: ' Other ' }))).avatar, 'left out: kept').toBe(faced.avatar);
      expect(await ok(send({}))).toEqual({ ...faced, name: 'Other' });
      expect((await ok<Webhook>(send({ avatar: null }))).avatar).toBeNull();
      expectError(await send({ name: 'x'.repeat(81), avatar }), 400, 'BAD_REQUEST', {
        name: 'WEBHOOK_NAME_LENGTH_INVALID',
      });
      expectError(await send({ avatar: 'x' }), 400, 'BAD_REQUEST', { avatar: 'INVALID_FORMAT' });
      for (const body of ['', '[]', 'null', '7']) {
        const headers = { 'content-type': 'application/json' };
        expectNotJson(await unhurried(suite.api).send('PATCH', path, { body, headers }));
      }
      expect((await ok<Webhook>(owner.api.get(`/webhooks/${webhook.id}`))).name).toBe('Other');
    });

    it('is not another webhook’s: each token opens its own alone', async () => {
      const [one, two] = [await openHook(suite), await openHook(suite)];
      const crossed = `/webhooks/${one.webhook.id}/${two.webhook.token}`;
      for (const [method, suffix, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'x' }],
        ['POST', '', { content: 'x' }],
        ['POST', '/chatcompat', { text: 'x' }],
        ['POST', '/statuspage', { component: {} }],
        ['DELETE', '', undefined],
      ] as const)
        expectError(
          await unhurried(one.owner.api).send(method, `${crossed}${suffix}`, { body }),
          401,
          'UNAUTHORIZED',
        );
      expect((await one.say({ content: 'still here' })).content).toBe('still here');
    });
  });
}
