import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { until429 } from '../rate-limit/webhook-execute.ts';
import { expectOk } from '../support/expect-status.ts';
import type { WebhookDelivery } from '../support/objects.ts';
import type { WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook } from './calls.ts';

/** A report of an edge may take a second, and longer on a busy machine. */
const TIMEOUT_MS = 20_000;

export function deliveries(stack: TestStack): void {
  /** A webhook's deliveries, once one of them is as wanted. */
  const found = ({ owner, webhook }: WebhookFixture, isWanted: (one: WebhookDelivery) => boolean) =>
    until('a delivery is listed', TIMEOUT_MS, async () => {
      const list = await expectOk<WebhookDelivery[]>(owner.api.get(`/webhooks/${webhook.id}/deliveries`));
      return list.find(isWanted);
    });

  describe('the deliveries of a webhook', () => {
    it('name the message of an execution, and the reason of one without', async () => {
      const hook = await openWebhook(stack);
      const { id } = await hook.say({ content: 'x' });
      await stack.api.post(`${hook.path}/codehost`, {}, { 'x-codehost-event': 'ping' });
      const posted = await found(hook, ({ outcome }) => outcome === 'posted');
      expect(posted).toMatchObject({ dialect: 'webhook', message_id: id, status: 200 });
      const nothing = await found(hook, ({ outcome }) => outcome === 'nothing');
      expect(nothing).toMatchObject({ event: 'ping', reason: 'event_unknown', status: 204 });
    });

    it('name executions that the edge turned away', async () => {
      const hook = await openWebhook(stack);
      const wrong = `/webhooks/${hook.webhook.id}/${'x'.repeat(64)}`;
      expect((await stack.api.post(wrong, { content: 'x' })).status).toBe(401);
      expect(await found(hook, ({ reason }) => reason === 'wrong_token')).toMatchObject({
        count: 1,
        status: 401,
      });
      const long = { content: 'x'.repeat(1024 * 1024) };
      expect((await stack.api.post(hook.path, long)).status).toBe(413);
      expect(await found(hook, ({ reason }) => reason === 'too_large')).toMatchObject({ status: 413 });
      await until429(() => hook.execute({ content: 'x' }), 100);
      const limited = await found(hook, ({ reason }) => reason === 'rate_limited');
      expect(limited).toMatchObject({ dialect: 'webhook', outcome: 'refused', status: 429 });
    });
  });
}
