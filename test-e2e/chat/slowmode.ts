import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { limitHeaders } from '../support/every-answer.ts';
import { expectError } from '../support/expect-error.ts';
import { hookIn, newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { bits } from './bits.ts';
import {
  createChannel,
  createRole,
  type GuildFixture,
  giveRole,
  guildFor,
  join,
  newBot,
  newGuild,
  ok,
  patchChannel,
  post,
  say,
} from './guild-fixture.ts';

interface Slowmode {
  rate_limit_per_user: number;
  retry_after: number;
}

export function slowmode(suite: TestSuite): void {
  async function openSlow(rate_limit_per_user: number): Promise<GuildFixture & { member: Person }> {
    const fixture = await newGuild(suite.api);
    await patchChannel(fixture, fixture.channel.id, { rate_limit_per_user });
    return { ...fixture, member: await join(suite.api, fixture) };
  }
  const waitOf = ({ channel }: GuildFixture, { api }: Person) =>
    ok<Slowmode>(api.get(`/channels/${channel.id}/slowmode`));

  describe('slowmode', () => {
    it('refuses a member’s second message, says how long, and shows it beforehand', async () => {
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

    it('concerns one account in one channel, and neither edits nor webhooks', async () => {
      const slow = await openSlow(600);
      const { member, channel } = slow;
      const { id } = await say(slow, member, 'one');
      expectError(await post(slow, member, 'two'), 400, 'SLOWMODE_RATE_LIMITED');
      await say(slow, await join(suite.api, slow), 'another');
      const other = await createChannel(slow, { rate_limit_per_user: 600 });
      await say({ channel: other }, member, 'elsewhere');
      await ok(
        member.api.send('PATCH', `/channels/${channel.id}/messages/${id}`, { body: { content: 'edited' } }),
      );
      const hook = await hookIn(slow, suite.api);
      for (const content of ['one', 'two']) await hook.say({ content });
    });

    it('is waited out', async () => {
      const slow = await openSlow(1);
      const { member } = slow;
      await say(slow, member, 'one');
      await until('the wait is over', 30_000, async () =>
        (await waitOf(slow, member)).retry_after === 0 ? true : undefined,
      );
      await say(slow, member, 'two');
    });

    it('is used up by a message that is posted, and by no other', async () => {
      const slow = await openSlow(600);
      const { member } = slow;
      expectError(await post(slow, member, { content: ' ' }), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      expectError(await post(slow, member, { embeds: [{ title: 7 }] }), 400, 'INVALID_FORM_BODY');
      const both = { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } };
      expect((await post(slow, member, both)).status).toBe(400);
      expect((await waitOf(slow, member)).retry_after).toBe(0);
      await say(slow, member, 'one');
      expectError(await post(slow, member, ' '), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
    });

    it('admits one of many messages sent at once', async () => {
      const slow = await openSlow(600);
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => post(slow, slow.member, `m${n}`)),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('is not for the owner, administrators and who may bypass it', async () => {
      const slow = await openSlow(600);
      const bypass = async (permissions: string) => {
        const person = await join(suite.api, slow);
        await giveRole(slow, person, await createRole(slow, { permissions }));
        return person;
      };
      const exempt = [slow.owner, await bypass(bits('ADMINISTRATOR')), await bypass(bits('BYPASS_SLOWMODE'))];
      for (const person of exempt) {
        for (const content of ['one', 'two']) await say(slow, person, content);
        expect(await waitOf(slow, person)).toEqual({ rate_limit_per_user: 600, retry_after: 0 });
      }
    });

    it('is for bots too', async () => {
      const bot = await newBot(await newcomer(suite.api));
      const fixture = await guildFor(bot);
      const heir = await join(suite.api, fixture);
      await patchChannel(fixture, fixture.channel.id, { rate_limit_per_user: 600 });
      const hand = { body: { owner_id: heir.user.id } };
      await ok(bot.api.send('PATCH', `/guilds/${fixture.guild.id}`, hand));
      await say(fixture, bot, 'one');
      expectError(await post(fixture, bot, 'two'), 400, 'SLOWMODE_RATE_LIMITED');
      for (const content of ['one', 'two']) await say(fixture, heir, content);
    });

    it('is not where there is no interval', async () => {
      const slow = await openSlow(0);
      for (const content of ['one', 'two', 'three']) await say(slow, slow.member, content);
      expect(await waitOf(slow, slow.member)).toEqual({ rate_limit_per_user: 0, retry_after: 0 });
    });
  });
}
