import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AddedGuild,
  addAccount,
  addChannel,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from '../support/guilds.ts';
import { as, internally, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { mark, openReader } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_get_events', 2);
});
afterAll(() => fixture.close());

describe('GetEvents', () => {
  test('returns the existing events once each, in the form of ReadEvents', async () => {
    const { general } = await addGuild(fixture);
    const reader = await openReader(fixture.chat);
    for (const content of ['one', 'two', 'three'])
      await fixture.chat.createWebhookMessage(webhookMessageOf(general, content), internally);
    await mark(fixture, 'END');
    const [one, , three, end] = await reader.until('END');
    await reader.close();
    if (one === undefined || three === undefined || end === undefined) throw new Error('no events');
    await fixture.sql.query('DELETE FROM events WHERE id = $1', [end.id]);
    const ids = [three.id, one.id, one.id, end.id, '9223372036854775807', '-1', 'x', '', '1.5', '٣'];
    const { events } = await (fixture.replicas[1] ?? fixture.chat).getEvents(
      { ids, with_states: false },
      internally,
    );
    expect(events.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([one, three]);
  });

  test('accepts at most a thousand IDs', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => String(index + 1_000_000));
    expect(await fixture.chat.getEvents({ ids: ids.slice(1), with_states: true }, internally)).toEqual({
      events: [],
    });
    expect(await fixture.chat.getEvents({ ids: [], with_states: true }, internally)).toEqual({ events: [] });
    expect(await reasonOf(fixture.chat.getEvents({ ids, with_states: false }, internally))).toBe(
      'BAD_REQUEST',
    );
  });

  test('answers twenty concurrent calls', async () => {
    await mark(fixture, 'ONE');
    const { rows } = await fixture.sql.query<{ id: string }>('SELECT max(id) AS id FROM events');
    const ids = [rows[0]?.id ?? ''];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (fixture.replicas[index % 2] ?? fixture.chat).getEvents({ ids, with_states: false }, internally),
      ),
    );
    for (const { events } of answers) expect(events).toMatchObject([{ id: ids[0], type: 'ONE' }]);
  });
});

describe('with_states', () => {
  const invited = async ({ general, owner }: AddedGuild) => {
    const account = addAccount(fixture);
    const { invite } = await fixture.chat.createInvite({ channel_id: general }, as(owner));
    await fixture.chat.acceptInvite({ code: invite?.code ?? '' }, as(account));
    return account;
  };
  const installed = async ({ guild_id, owner }: AddedGuild) => {
    const request = { bot_id: newId(), application_name: 'Helper', permissions: '1024' };
    await fixture.chat.installBot({ ...request, guild_id }, as(owner));
    return request.bot_id;
  };

  const stateNow = async (guild_id: string, account: string) => {
    const request = { guild_ids: [guild_id], account_ids: [account] };
    return (await fixture.chat.getGuildStates(request, internally)).guilds[0];
  };

  async function stateOf(guild_id: string, account: string) {
    const { rows } = await fixture.sql.query<{ id: string }>(
      `SELECT id FROM events WHERE type = 'GUILD_CREATE' AND guild_id = $1 AND account_ids = ARRAY[$2::bigint]`,
      [guild_id, account],
    );
    const { events } = await fixture.chat.getEvents(
      { ids: rows.map(({ id }) => id), with_states: true },
      internally,
    );
    expect(events).toHaveLength(1);
    return events[0]?.guild_state;
  }

  async function change({ guild_id, general }: AddedGuild, member: string): Promise<void> {
    await addRole(fixture, guild_id, 1024n, { holder: member });
    await addChannel(fixture, guild_id, 0);
    await addOverwrite(fixture, general, { id: newId(), type: 1, deny: 1024n });
    await fixture.chat.createWebhookMessage(webhookMessageOf(general, 'hello'), internally);
    await addMember(fixture, guild_id);
  }

  test('returns the guild as it was created, without later changes', async () => {
    const home = await addGuild(fixture);
    const then = await stateNow(home.guild_id, home.owner);
    await change(home, home.owner);
    expect(await stateOf(home.guild_id, home.owner)).toEqual(then);
    expect(then).toMatchObject({
      guild: { id: home.guild_id, member_count: 1, roles: [{ id: home.guild_id }] },
      channels: [{ id: home.general, last_message_id: null }],
      members: [{ account_id: home.owner }],
    });
  });

  test.each([
    ['somebody joined it', invited],
    ['a bot was installed', installed],
  ])('returns the guild as it was when %s, with only that member', async (_, come) => {
    const home = await addGuild(fixture);
    await change(home, home.owner);
    const account = await come(home);
    const then = await stateNow(home.guild_id, account);
    await change(home, account);
    await fixture.sql.query('DELETE FROM channels WHERE id = $1', [home.general]);
    expect(await stateOf(home.guild_id, account)).toEqual(then);
    expect(then).toMatchObject({
      guild: { member_count: 3 },
      channels: [{ id: home.general, permission_overwrites: [{ deny: '1024' }] }, {}],
      members: [{ account_id: account }],
    });
    await fixture.chat.deleteGuild({ guild_id: home.guild_id }, as(home.owner));
    expect(await stateOf(home.guild_id, account)).toEqual(then);
  });

  test('returns states only for these events, and only on request', async () => {
    const reader = await openReader(fixture.chat);
    const home = await addGuild(fixture);
    await fixture.chat.createWebhookMessage(webhookMessageOf(home.general, 'hello'), internally);
    const created = `INSERT INTO events (type, account_ids, guild_id, payload) VALUES ('GUILD_CREATE', '{1}', 1, '{}')`;
    await fixture.sql.query(created); // written by a version without states
    await mark(fixture, 'END');
    const read = await reader.until('END');
    await reader.close();
    const ids = read.map(({ id }) => id);
    const [plain, whole] = await Promise.all(
      [false, true].map(async (with_states) => {
        const { events } = await fixture.chat.getEvents({ ids, with_states }, internally);
        return events.toSorted((a, b) => Number(a.id) - Number(b.id));
      }),
    );
    expect(plain).toEqual(read);
    expect(read.map(({ guild_state }) => guild_state != null)).toEqual([false, false, false, false]);
    expect(whole?.map(({ guild_state }) => guild_state != null)).toEqual([true, false, false, false]);
    expect(whole?.map((event) => ({ ...event, guild_state: null }))).toEqual(read);
  });
});
