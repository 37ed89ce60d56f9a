import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import { createChannel, join, newGuild, patchChannel, post, say } from '../support/guilds.ts';
import { createWebhook, type GuildFixture, type Person } from '../support/people.ts';
import { limitHeaders } from '../support/response-rules.ts';
import type { TestStack } from '../support/stack.ts';

interface Slowmode {
  rate_limit_per_user: number;
  retry_after: number;
}

export function slowmode(stack: TestStack): void {
  async function openSlow(rate_limit_per_user: number): Promise<GuildFixture & { member: Person }> {
    const fixture = await newGuild(stack.api);
    await patchChannel(fixture, fixture.channel.id, { rate_limit_per_user });
    return { ...fixture, member: await join(stack.api, fixture) };
  }
  const waitOf = ({ channel }: GuildFixture, { api }: Person) =>
    expectOk<Slowmode>(api.get(`/channels/${channel.id}/slowmode`));

  describe('slowmode', () => {
    it('refuses a member’s second message with the wait, which GET slowmode shows too', async () => {
      const slow = await openSlow(30);
      const { member } = slow;
      expect(await waitOf(slow, member)).toEqual({ rate_limit_per_user: 30, retry_after: 0 });
      await say(slow, member, 'one');
      const denied = await post(slow, member, 'two');
      const body = expectError(denied, 400, 'SLOWMODE_RATE_LIMITED');
      expect(Object.keys(body).sort()).toEqual(['code', 'error', 'message', 'retry_after']);
      const wait = body.retry_after ?? 0;
      expect(wait).toBeGreaterThan(20);
      expect(wait).toBeLessThanOrEqual(30);
      expect(denied.headers.get('retry-after')).toBe(String(Math.ceil(wait)));
      expect(limitHeaders(denied)).toEqual(['retry-after']);
      const shown = await waitOf(slow, member);
      expect(shown.rate_limit_per_user).toBe(30);
      expect(shown.retry_after).toBeLessThanOrEqual(wait);
      expect(shown.retry_after).toBe(Math.round(shown.retry_after * 1000) / 1000);
      expect(shown.retry_after).toBeGreaterThan(wait - 10);
    });

    it('applies per account and channel, not to edits or webhooks', async () => {
      const slow = await openSlow(600);
      const { member, channel } = slow;
      const { id } = await say(slow, member, 'one');
      expectError(await post(slow, member, 'two'), 400, 'SLOWMODE_RATE_LIMITED');
      await say(slow, await join(stack.api, slow), 'another');
      const other = await createChannel(slow, { rate_limit_per_user: 600 });
      await say({ channel: other }, member, 'elsewhere');
      await expectOk(
        member.api.send('PATCH', `/channels/${channel.id}/messages/${id}`, { body: { content: 'edited' } }),
      );
      const hook = await createWebhook(slow, stack.api);
      for (const content of ['one', 'two']) await hook.say({ content });
    });

    it('admits one of many messages sent at once', async () => {
      const slow = await openSlow(600);
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => post(slow, slow.member, `m${n}`)),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });
}
