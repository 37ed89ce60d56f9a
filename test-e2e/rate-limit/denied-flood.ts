import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/objects.ts';
import { newWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { burst } from './burst.ts';
import { expectBucketDenial, isBucketDenial } from './expect-denial.ts';
import { until429 } from './webhook-execute.ts';

const MANY = 1_000;

export function deniedFlood(stack: TestStack): void {
  describe('a flood on a full bucket', () => {
    it('is admitted as fast as the bucket drains; each denial has the remaining wait', async () => {
      const hook = await newWebhook(stack.api);
      const first = performance.now();
      await burst(61, () => hook.execute({ content: 'x' }));
      const { replies } = await burst(MANY, () => hook.execute({ content: 'x' }));
      const seconds = (performance.now() - first) / 1000;
      const denied = replies.filter(isBucketDenial);
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(MANY - denied.length);
      expect(MANY - denied.length, 'one a second').toBeLessThanOrEqual(Math.ceil(seconds));
      for (const reply of denied) expectBucketDenial(reply, 'webhook:execute');
    });

    it('does not prolong the wait', async () => {
      const hook = await newWebhook(stack.api);
      await burst(60, () => hook.execute({ content: 'x' }));
      const denied = await until429(() => hook.execute({ content: 'x' }));
      const until = performance.now() + expectBucketDenial(denied, 'webhook:execute') * 1000;
      for (;;) {
        const sentAt = performance.now();
        const reply = await hook.execute({ content: 'x' });
        if (reply.status === 204) break;
        expect(sentAt, 'a request sent after the wait passes').toBeLessThan(until + 1);
        expect(reply.json<Required<ErrorBody>>().retry_after).toBeGreaterThan(0);
      }
    });
  });
}
