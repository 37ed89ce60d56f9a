import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { createWebhook, newWebhook, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { burst } from './burst.ts';
import { expectBucketDenial, isBucketDenial } from './expect-denial.ts';

const BUCKET = 'webhook:execute';

export function webhookExecuteLimit(stack: TestStack): void {
  describe('webhook:execute, 60 per 60 s and webhook', () => {
    it('admits 60 at once and denies the 61st, with the headers and the body of a denial', async () => {
      const hook = await newWebhook(stack.api);
      const { replies, seconds } = await burst(61, (n) => hook.execute({ content: `${n}` }));
      const denied = replies.filter(isBucketDenial);
      // One token drains per second, so a slow burst may get one more in.
      expect(denied.length).toBeGreaterThanOrEqual(1 - Math.floor(seconds));
      expect(denied.length).toBeLessThanOrEqual(1);
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(61 - denied.length);
      expectBucketDenial(denied[0] ?? (await denyNext(hook)), BUCKET);
    });

    it('admits again after exactly retry_after', async () => {
      const hook = await newWebhook(stack.api);
      await burst(60, () => hook.execute({ content: 'x' }));
      const retryAfter = expectBucketDenial(await denyNext(hook), BUCKET);
      await delay(Math.ceil(retryAfter * 1000));
      expect((await hook.execute({ content: 'after the wait' })).status).toBe(204);
      expect((await hook.messages())[0]?.content).toBe('after the wait');
    });

    it('does not store denied messages', async () => {
      const hook = await newWebhook(stack.api);
      const { replies } = await burst(80, () => hook.execute({ content: 'x' }));
      const admitted = replies.filter(({ status }) => status === 204).length;
      expect(admitted + replies.filter(isBucketDenial).length).toBe(80);
      expect(await hook.messages()).toHaveLength(admitted);
    });

    it('is shared by all callers and the chat-tool route, but not by the code-host route or reads', async () => {
      const hook = await newWebhook(stack.api);
      const stranger = stack.api.from('192.0.2.1');
      await burst(30, () => hook.execute({ content: 'x' }));
      await burst(30, () => stranger.post(`${hook.path}/chatcompat`, { text: 'x' }));
      expectBucketDenial(await denyNext(hook, stranger), BUCKET);
      expectBucketDenial(await denyNext(hook, hook.owner.api), BUCKET);
      const chatcompat = await until429(() => stranger.post(`${hook.path}/chatcompat`, { text: 'x' }));
      expectBucketDenial(chatcompat, BUCKET);
      expect((await stranger.post(`${hook.path}/codehost`, {})).status).toBe(204);
      expect((await stranger.get(hook.path)).status).toBe(200);
      const other = await createWebhook(hook, stack.api);
      expect((await other.execute({ content: 'another webhook' })).status).toBe(204);
    });

    it('counts wrong tokens, invalid bodies and unknown webhooks', async () => {
      const hook = await newWebhook(stack.api);
      const wrong = `/webhooks/${hook.webhook.id}/${'x'.repeat(64)}`;
      const first = await burst(30, () => stack.api.post(wrong, { content: 'x' }));
      const second = await burst(30, () => hook.execute('{', ''));
      expect(new Set(first.replies.map(({ status }) => status))).toEqual(new Set([401]));
      expect(new Set(second.replies.map(({ status }) => status))).toEqual(new Set([400]));
      expectBucketDenial(await denyNext(hook), BUCKET);
      expectBucketDenial(await until429(() => stack.api.post(wrong, {})), BUCKET);

      const unknown = await burst(60, () => stack.api.post('/webhooks/77/x', { content: 'x' }));
      expect(new Set(unknown.replies.map(({ status }) => status))).toEqual(new Set([404]));
      expectBucketDenial(await until429(() => stack.api.post('/webhooks/77/x', {})), BUCKET);
    });
  });

  function denyNext(hook: WebhookFixture, api: Api = stack.api): Promise<Reply> {
    return until429(() => api.post(hook.path, { content: 'one more' }));
  }
}

/** Sends until the first denial: a few tokens may have drained since the burst. */
export async function until429(send: () => Promise<Reply>, most = 20): Promise<Reply> {
  for (let n = 0; n < most; n += 1) {
    const reply = await send();
    if (reply.status === 429) return reply;
  }
  throw new Error(`no denial in ${most} requests`);
}
