import { Permission } from '@gatehouse/chat-client/permissions';
import { faultOf, reasonOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAccount, addChannel, addGuild, addMember, addOverwrite, addRole } from '../support/guilds.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const INTERVAL_SECONDS = 30;
const HOUR_US = 3_600_000_000;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_slowmode');
});
afterAll(() => fixture.close());

beforeEach(() => {
  fixture.slowmode.requests.length = 0;
  fixture.slowmode.peeks.length = 0;
  fixture.slowmode.retry_after_us = undefined;
});

/** A guild and its channel with slowmode. */
async function slowGuild() {
  const home = await addGuild(fixture);
  await setSlowmode(home.general, INTERVAL_SECONDS);
  return { ...home, member: await addMember(fixture, home.guild_id) };
}

function setSlowmode(channel_id: string, seconds: number) {
  return fixture.sql.query('UPDATE channels SET rate_limit_per_user = $2 WHERE id = $1', [
    channel_id,
    seconds,
  ]);
}

const post = (channel_id: string, account_id: string, text = 'x') =>
  fixture.chat.createMessage(messageOf(channel_id, text), as(account_id));

const countMessages = async (channel_id: string) => {
  const { rows } = await fixture.sql.query('SELECT 1 FROM messages WHERE channel_id = $1', [channel_id]);
  return rows.length;
};

describe('slowmode', () => {
  test('counts messages by account, channel and the channel’s current interval', async () => {
    const { general, member } = await slowGuild();
    await post(general, member);
    await setSlowmode(general, 60);
    await post(general, member);
    const slot = { account_id: member, channel_id: general };
    expect(fixture.slowmode.requests).toEqual([
      { ...slot, interval_seconds: INTERVAL_SECONDS },
      { ...slot, interval_seconds: 60 },
    ]);
  });

  test('applies to bots too', async () => {
    const { general, guild_id } = await slowGuild();
    const bot = await addMember(fixture, guild_id);
    const account = fixture.accounts.get(bot);
    if (account !== undefined) fixture.accounts.set(bot, { ...account, bot: true });
    await post(general, bot);
    expect(fixture.slowmode.requests).toHaveLength(1);
  });

  test('refuses with SLOWMODE_RATE_LIMITED and the wait in seconds, rounded up, and posts nothing', async () => {
    const { general, member } = await slowGuild();
    for (const [retry_after_us, retry_after, wait] of [
      [29_123_001, 29.124, '30 seconds'],
      [1_000_000, 1, '1 second'],
      [1, 0.001, '1 second'],
    ] as const) {
      fixture.slowmode.retry_after_us = retry_after_us;
      const fault = await faultOf(post(general, member));
      expect(fault).toMatchObject({
        status: Status.RESOURCE_EXHAUSTED,
        reason: 'SLOWMODE_RATE_LIMITED',
        members: { retry_after },
        violations: [],
      });
      expect(fault.message).toContain(`in ${wait}.`);
    }
    expect(await countMessages(general)).toBe(0);
  });

  test('is not checked in a channel without it', async () => {
    const { general, guild_id } = await addGuild(fixture);
    await post(general, await addMember(fixture, guild_id));
    expect(fixture.slowmode.requests).toEqual([]);
  });

  test('exempts the owner, administrators, and members with BYPASS_SLOWMODE by role or in the channel', async () => {
    const { owner, guild_id, general } = await slowGuild();
    const [admin, roleHolder, overwritten] = await Promise.all(
      [1, 2, 3].map(() => addMember(fixture, guild_id)),
    );
    if (admin === undefined || roleHolder === undefined || overwritten === undefined) throw new Error();
    await addRole(fixture, guild_id, Permission.ADMINISTRATOR, { holder: admin });
    await addRole(fixture, guild_id, Permission.BYPASS_SLOWMODE, { holder: roleHolder });
    await addOverwrite(fixture, general, { id: overwritten, type: 1, allow: Permission.BYPASS_SLOWMODE });
    fixture.slowmode.retry_after_us = HOUR_US;
    for (const account of [owner, admin, roleHolder, overwritten]) await post(general, account);
    expect(fixture.slowmode.requests).toEqual([]);
  });

  test('applies to a member who lost BYPASS_SLOWMODE in the channel', async () => {
    const { guild_id, general, member } = await slowGuild();
    await addRole(fixture, guild_id, Permission.BYPASS_SLOWMODE, { holder: member });
    await addOverwrite(fixture, general, { id: member, type: 1, deny: Permission.BYPASS_SLOWMODE });
    await post(general, member);
    expect(fixture.slowmode.requests).toHaveLength(1);
  });

  test('does not count a message that another check refuses', async () => {
    const { guild_id, general, member } = await slowGuild();
    const stranger = addAccount(fixture);
    const silenced = await addMember(fixture, guild_id);
    const plain = await addMember(fixture, guild_id);
    const category = await addChannel(fixture, guild_id, 4);
    await setSlowmode(category, INTERVAL_SECONDS);
    await addOverwrite(fixture, general, { id: silenced, type: 1, deny: Permission.SEND_MESSAGES });
    await addOverwrite(fixture, general, { id: plain, type: 1, deny: Permission.EMBED_LINKS });
    const embedding = messageOf(general, { embeds: [embedOf({ title: 't' })] });
    for (const [call, reason] of [
      [() => post(general, stranger), 'MISSING_ACCESS'],
      [() => post(general, silenced), 'MISSING_PERMISSIONS'],
      [() => post(general, member, ' '), 'CANNOT_SEND_EMPTY_MESSAGE'],
      [() => post(general, member, 'x'.repeat(4001)), 'INVALID_FORM_BODY'],
      [() => fixture.chat.createMessage(embedding, as(plain)), 'MISSING_PERMISSIONS'],
      [() => post(category, member), 'BAD_REQUEST'],
      [() => post(String(2n ** 62n), member), 'NOT_FOUND'],
    ] as const) {
      expect(await reasonOf(call())).toBe(reason);
    }
    expect(fixture.slowmode.requests).toEqual([]);
  });

  test('does not apply to webhooks, which are no accounts', async () => {
    const { general } = await slowGuild();
    fixture.slowmode.retry_after_us = HOUR_US;
    for (const text of ['one', 'two']) {
      await fixture.chat.createWebhookMessage(webhookMessageOf(general, text), internally);
    }
    expect(await countMessages(general)).toBe(2);
    expect(fixture.slowmode.requests).toEqual([]);
  });
});

describe('GetSlowmode', () => {
  const ask = (channel_id: string, account_id: string) =>
    fixture.chat.getSlowmode({ channel_id }, as(account_id));

  test('returns the interval and the wait in seconds, rounded up to a millisecond, and counts nothing', async () => {
    const { general, member } = await slowGuild();
    for (const [retry_after_us, retry_after] of [
      [undefined, 0],
      [1, 0.001],
      [1_000_000, 1],
      [29_000_001, 29.001],
    ] as const) {
      fixture.slowmode.retry_after_us = retry_after_us;
      expect(await ask(general, member)).toEqual({ rate_limit_per_user: INTERVAL_SECONDS, retry_after });
    }
    expect(fixture.slowmode.peeks).toEqual(
      Array(4).fill({ account_id: member, channel_id: general, interval_seconds: INTERVAL_SECONDS }),
    );
    expect(fixture.slowmode.requests).toEqual([]);
  });

  test('returns no wait for exempt members and for channels without slowmode', async () => {
    const { owner, guild_id, general, member } = await slowGuild();
    const bypasser = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.BYPASS_SLOWMODE, { holder: bypasser });
    fixture.slowmode.retry_after_us = HOUR_US;
    const exempt = { rate_limit_per_user: INTERVAL_SECONDS, retry_after: 0 };
    for (const account of [owner, bypasser]) expect(await ask(general, account)).toEqual(exempt);
    await setSlowmode(general, 0);
    expect(await ask(general, member)).toEqual({ rate_limit_per_user: 0, retry_after: 0 });
    const { channel } = await fixture.chat.openPrivateChannel({ recipients: [owner] }, as(member));
    expect(await ask(channel?.id ?? '', member)).toEqual({ rate_limit_per_user: 0, retry_after: 0 });
    expect(fixture.slowmode.peeks).toEqual([]);
  });

  test('requires VIEW_CHANNEL', async () => {
    const { general, member } = await slowGuild();
    await addOverwrite(fixture, general, { id: member, type: 1, deny: Permission.VIEW_CHANNEL });
    expect(await reasonOf(ask(general, member))).toBe('MISSING_ACCESS');
    expect(await reasonOf(ask(String(2n ** 62n), member))).toBe('NOT_FOUND');
  });
});

test('during an outage of ratelimit slowmode is counted locally, by account and channel', async () => {
  const lonely = await startChat('chat_slowmode_alone');
  try {
    const { general, guild_id } = await addGuild(lonely);
    const { general: elsewhere, guild_id: otherGuild } = await addGuild(lonely);
    for (const channel of [general, elsewhere]) {
      await lonely.sql.query('UPDATE channels SET rate_limit_per_user = 21600 WHERE id = $1', [channel]);
    }
    const [first, second] = [await addMember(lonely, guild_id), await addMember(lonely, guild_id)];
    await lonely.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [otherGuild, first]);
    const send = (channel: string, account: string) =>
      lonely.chat.createMessage(messageOf(channel, 'x'), as(account));

    await lonely.stopRatelimit();
    await send(general, first);
    const fault = await faultOf(send(general, first));
    expect(fault.reason).toBe('SLOWMODE_RATE_LIMITED');
    expect(fault.members.retry_after).toBeGreaterThan(21_500);
    expect(fault.members.retry_after).toBeLessThanOrEqual(21_600);
    const { retry_after } = await lonely.chat.getSlowmode({ channel_id: general }, as(first));
    expect(retry_after).toBeGreaterThan(21_500);
    expect(await lonely.chat.getSlowmode({ channel_id: general }, as(second))).toMatchObject({
      retry_after: 0,
    });
    await send(general, second);
    await send(elsewhere, first);
  } finally {
    await lonely.close();
  }
});

test('slowmode is counted locally while ratelimit is slow, and by ratelimit once it answers', async () => {
  const { general, member } = await slowGuild();
  let release = () => {};
  fixture.slowmode.gate = new Promise((resolve) => {
    release = resolve;
  });
  await post(general, member);
  expect(await reasonOf(post(general, member))).toBe('SLOWMODE_RATE_LIMITED');
  release();
  await post(general, member);
  expect(fixture.slowmode.requests).toHaveLength(3);
  expect(await countMessages(general)).toBe(2);
});
