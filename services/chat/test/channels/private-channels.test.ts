import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { Status } from '@gatehouse/kit/fault';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, newId } from '../support/guilds.ts';
import { channelEvents } from '../support/log.ts';
import { as, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_private_channels', 2);
});
afterAll(() => fixture.close());

const people = (count: number) => Array.from({ length: count }, () => addAccount(fixture));

async function open(opener: string, recipients: readonly string[], chat = fixture.chat) {
  const { channel } = await chat.openPrivateChannel({ recipients: [...recipients] }, as(opener));
  if (channel === null) throw new Error('no channel was returned');
  return channel;
}

/** A group DM and its recipients. */
async function group(size = 3) {
  const ids = people(size);
  const [opener = '', ...others] = ids;
  const { id } = await open(opener, others);
  return { id, opener, others, ids };
}

const listed = async (account_id: string) =>
  (await fixture.chat.listPrivateChannels({}, as(account_id))).channels.map(({ id }) => id);

const add = (channel_id: string, user_id: string, by: string, chat = fixture.chat) =>
  chat.addRecipient({ channel_id, user_id }, as(by));
const remove = (channel_id: string, user_id: string, by: string) =>
  fixture.chat.removeRecipient({ channel_id, user_id }, as(by));
const post = (channel_id: string, by: string, content = 'x') =>
  fixture.chat.createMessage(messageOf(channel_id, content), as(by));
const close = (channel_id: string, by: string) => fixture.chat.deleteChannel({ channel_id }, as(by));
const get = (channel_id: string, by: string) => fixture.chat.getChannel({ channel_id }, as(by));

const recipientsOf = async (channel_id: string, by: string) =>
  (await get(channel_id, by)).channel?.recipients.map(({ id }) => id);

/** The events after the first ones, with their receivers. */
const eventsAfter = async (channel_id: string, count: number) =>
  (await channelEvents(fixture, channel_id)).slice(count).map(({ type, account_ids }) => [type, account_ids]);

describe('a DM', () => {
  test('has both accounts as recipients, and one event for both, from either side', async () => {
    const [one = '', two = ''] = people(2);
    const channel = await open(one, [two, one, two]);
    expect(channel).toEqual({
      id: channel.id,
      guild_id: null,
      type: 1,
      name: null,
      topic: null,
      position: 0,
      parent_id: null,
      rate_limit_per_user: 0,
      permission_overwrites: [],
      last_message_id: null,
      recipients: [fixture.accounts.get(two)],
      owner_id: null,
    });
    const back = await open(two, [one]);
    expect(back).toEqual({ ...channel, recipients: [fixture.accounts.get(one)] });
    expect(await listed(one)).toEqual([channel.id]);
    expect(await listed(two)).toEqual([channel.id]);
    expect(await eventsAfter(channel.id, 0)).toEqual([['CHANNEL_CREATE', [one, two]]]);
  });

  test('is created once for many concurrent requests of both accounts', async () => {
    const [one = '', two = ''] = people(2);
    const opened = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        n % 4 < 2 ? open(one, [two], fixture.replicas[n % 2]) : open(two, [one], fixture.replicas[n % 2]),
      ),
    );
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await eventsAfter(opened[0]?.id ?? '', 0)).toHaveLength(1);
  });

  test('that is closed is hidden from the closer until it is opened or a message is posted', async () => {
    const [one = '', two = ''] = people(2);
    const { id } = await open(one, [two]);
    await close(id, one);
    await close(id, one);
    expect([await listed(one), await listed(two)]).toEqual([[], [id]]);

    await post(id, two);
    expect(await listed(one)).toEqual([id]);
    await close(id, one);
    expect(await listed(one)).toEqual([]);
    await open(one, [two]);
    await open(one, [two]);
    expect(await listed(one)).toEqual([id]);
    expect(await eventsAfter(id, 1)).toEqual([
      ['CHANNEL_DELETE', [one]],
      ['CHANNEL_CREATE', [one]],
      ['MESSAGE_CREATE', [one, two]],
      ['CHANNEL_DELETE', [one]],
      ['CHANNEL_CREATE', [one]],
    ]);
  });

  test('that both have closed reopens once for each, for many concurrent messages', async () => {
    const [one = '', two = ''] = people(2);
    const { id } = await open(one, [two]);
    await Promise.all([close(id, one), close(id, two)]);
    await Promise.all(Array.from({ length: 16 }, (_, n) => post(id, n % 2 ? one : two)));
    const events = await eventsAfter(id, 3);
    expect(events.filter(([type]) => type === 'CHANNEL_CREATE')).toHaveLength(2);
    expect(events.slice(0, 2).map(([type]) => type)).toEqual(['CHANNEL_CREATE', 'CHANNEL_CREATE']);
  });

  test('that is closed during a post reopens, with an event for its closer', async () => {
    const [one = '', two = ''] = people(2);
    const { id } = await open(one, [two]);
    const holder = await fixture.sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM channels WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const closing = close(id, one);
    await untilWaitingForLock(fixture.sql, 1);
    const posting = post(id, two);
    await untilWaitingForLock(fixture.sql, 2);
    await holder.query('COMMIT');
    holder.release();
    await Promise.all([closing, posting]);
    expect(await listed(one)).toEqual([id]);
    expect(await eventsAfter(id, 1)).toEqual([
      ['CHANNEL_DELETE', [one]],
      ['MESSAGE_CREATE', [one, two]],
      ['CHANNEL_CREATE', [one]],
    ]);
  });

  test('that is closed can be read and posted in', async () => {
    const [one = '', two = ''] = people(2);
    const { id } = await open(one, [two]);
    await close(id, one);
    expect(await recipientsOf(id, one)).toEqual([two]);
    await post(id, one);
    expect(await listed(one)).toEqual([id]);
  });

  test('accepts no further recipients and loses none', async () => {
    const [one = '', two = '', three = ''] = people(3);
    const { id } = await open(one, [two]);
    expect(await reasonOf(add(id, three, one))).toBe('BAD_REQUEST');
    expect(await reasonOf(remove(id, two, one))).toBe('BAD_REQUEST');
  });
});

describe('opening a private channel', () => {
  test('requires 1 to 9 other recipients', async () => {
    const [one = '', ...others] = people(11);
    for (const recipients of [[], [one], [one, one], others, [...others, one], Array(11).fill(others[0])]) {
      expect(await violationsOf(open(one, recipients))).toEqual(['recipients INVALID_FORMAT']);
    }
    const { recipients } = await open(one, [one, ...others.slice(0, 9)]);
    expect(recipients).toHaveLength(9);
  });

  test('requires IDs of existing accounts', async () => {
    const [one = '', two = ''] = people(2);
    expect(await violationsOf(open(one, [two, 'x']))).toEqual(['recipients.1 INVALID_SNOWFLAKE_FORMAT']);
    expect(await reasonOf(open(one, [newId()]))).toBe('UNKNOWN_USER');
    expect(await reasonOf(open(one, [two, newId()]))).toBe('UNKNOWN_USER');
  });
});

describe('a group DM', () => {
  test('is created each time, owned by its opener, with events for all recipients', async () => {
    const [one = '', two = '', three = ''] = people(3);
    const first = await open(one, [two, three]);
    const second = await open(one, [two, three]);
    expect(second.id).not.toBe(first.id);
    expect(first).toMatchObject({ type: 3, owner_id: one, name: null });
    expect(await recipientsOf(first.id, two)).toEqual([one, three]);
    expect(await eventsAfter(first.id, 0)).toEqual([['CHANNEL_CREATE', [one, two, three]]]);
  });

  test('accepts new recipients from any recipient, with events and a message', async () => {
    const { id, ids, others } = await group();
    const [adder = ''] = others;
    const [added = ''] = people(1);
    await add(id, added, adder);
    expect(await recipientsOf(id, added)).toEqual(ids);
    expect(await listed(added)).toEqual([id]);
    expect(await eventsAfter(id, 1)).toEqual([
      ['CHANNEL_RECIPIENT_ADD', ids],
      ['CHANNEL_CREATE', [added]],
      ['MESSAGE_CREATE', [...ids, added]],
    ]);
    const { messages } = await fixture.chat.listMessages({ channel_id: id }, as(added));
    expect(messages).toMatchObject([
      { type: 1, content: '', author: { id: adder }, mentions: [{ id: added }] },
    ]);
  });

  test('keeps an existing recipient as it is', async () => {
    const { id, opener, others } = await group();
    await add(id, others[0] ?? '', opener);
    await add(id, opener, others[0] ?? '');
    expect(await eventsAfter(id, 1)).toEqual([]);
  });

  test('has at most 10 recipients, also for concurrent requests', async () => {
    const { id, opener, ids } = await group(9);
    const calls = people(16).map((user_id, n) =>
      add(id, user_id, ids[n % ids.length] ?? '', fixture.replicas[n % 2]),
    );
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await recipientsOf(id, opener)).toHaveLength(9);
    expect(await reasonOf(add(id, people(1)[0] ?? '', opener))).toBe('BAD_REQUEST');
  });

  test('is MISSING_ACCESS for other accounts', async () => {
    const { id, opener } = await group();
    const [stranger = '', other = ''] = people(2);
    expect(await reasonOf(add(id, other, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(add(id, stranger, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(remove(id, opener, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(close(id, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(post(id, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(get(id, stranger))).toBe('MISSING_ACCESS');
  });

  test('accepts only existing accounts, and is not a guild’s channel', async () => {
    const { id, opener } = await group();
    expect(await reasonOf(add(id, newId(), opener))).toBe('UNKNOWN_USER');
    const { owner, general } = await addGuild(fixture);
    expect(await reasonOf(add(general, opener, owner))).toBe('BAD_REQUEST');
    expect(await reasonOf(add(general, owner, opener))).toBe('MISSING_ACCESS');
    expect(await reasonOf(remove(general, owner, owner))).toBe('BAD_REQUEST');
    const unknown = await faultOf(add(newId(), opener, opener));
    expect([unknown.status, unknown.reason]).toEqual([Status.NOT_FOUND, 'NOT_FOUND']);
    expect(await reasonOf(remove(newId(), opener, opener))).toBe('NOT_FOUND');
  });

  test('lets its owner remove recipients, and recipients leave', async () => {
    const { id, opener, others } = await group(4);
    const [two = '', three = '', four = ''] = others;
    expect(await reasonOf(remove(id, three, two))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(remove(id, newId(), opener))).toBe('UNKNOWN_USER');
    await remove(id, two, opener);
    await remove(id, three, three);
    expect(await recipientsOf(id, opener)).toEqual([four]);
    expect(await eventsAfter(id, 1)).toEqual([
      ['CHANNEL_RECIPIENT_REMOVE', [opener, three, four]],
      ['CHANNEL_DELETE', [two]],
      ['CHANNEL_RECIPIENT_REMOVE', [opener, four]],
      ['CHANNEL_DELETE', [three]],
    ]);
    expect(await listed(two)).toEqual([]);
    expect(await reasonOf(get(id, two))).toBe('MISSING_ACCESS');
  });

  test('is inherited by the next recipient when its owner leaves', async () => {
    const { id, opener, others } = await group();
    const [two = '', three = ''] = others;
    await close(id, opener);
    expect((await get(id, two)).channel?.owner_id).toBe(two);
    expect(await eventsAfter(id, 1)).toEqual([
      ['CHANNEL_RECIPIENT_REMOVE', [two, three]],
      ['CHANNEL_DELETE', [opener]],
      ['CHANNEL_UPDATE', [two, three]],
    ]);
    await remove(id, three, two);
  });

  test('ends with its last recipient', async () => {
    const { id, ids } = await group();
    await post(id, ids[0] ?? '');
    await Promise.all(ids.map((account_id) => close(id, account_id)));
    expect(await reasonOf(get(id, ids[0] ?? ''))).toBe('NOT_FOUND');
    const messages = async () =>
      (await fixture.sql.query('SELECT FROM messages WHERE channel_id = $1', [id])).rowCount;
    await expect.poll(messages).toBe(0);
    expect(fixture.webhookDelivery.ended.flat(), 'has no webhooks').not.toContain(id);
  });

  test('has consistent rows and events when recipients leave and join while messages are posted', async () => {
    const { id, ids } = await group(6);
    const added = people(10);
    const calls = await Promise.allSettled([
      ...ids.slice(1).map((account_id) => close(id, account_id)),
      ...added.map((account_id, n) => add(id, account_id, ids[n % 6] ?? '', fixture.replicas[n % 2])),
      ...ids.map((account_id, n) =>
        fixture.replicas[n % 2]?.createMessage(messageOf(id, 'x'), as(account_id)),
      ),
    ]);
    const reasons = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.reason] : []));
    expect(new Set([...reasons, 'MISSING_ACCESS', 'BAD_REQUEST'])).toEqual(
      new Set(['MISSING_ACCESS', 'BAD_REQUEST']),
    );
    const { rows } = await fixture.sql.query(
      `SELECT recipient_ids, ARRAY(SELECT account_id FROM channel_recipients WHERE channel_id = id) AS rows
       FROM channels WHERE id = $1`,
      [id],
    );
    expect([...rows[0].rows].sort()).toEqual([...rows[0].recipient_ids].sort());
    // Replaying the log gives the same recipients, and each event went to the recipients of its moment.
    const replayed = new Set<string>();
    for (const { type, account_ids, payload } of await channelEvents(fixture, id)) {
      const account_id = String(payload.account_id);
      if (type === 'CHANNEL_CREATE') for (const each of account_ids ?? []) replayed.add(each);
      if (type === 'CHANNEL_RECIPIENT_REMOVE') replayed.delete(account_id);
      if (type === 'MESSAGE_CREATE') expect([...(account_ids ?? [])].sort()).toEqual([...replayed].sort());
    }
    expect([...replayed].sort()).toEqual([...rows[0].recipient_ids].sort());
  });
});

describe('messages of a private channel', () => {
  test('have no slowmode, no roles and no @everyone', async () => {
    const { id, opener, others } = await group();
    const { message } = await post(id, opener, `@everyone <@&${newId()}> <@${others[0]}>`);
    expect(message).toMatchObject({
      mention_everyone: false,
      mention_roles: [],
      mentions: [{ id: others[0] }],
    });
    expect(fixture.slowmode.requests).toEqual([]);
  });

  test('are sent to the recipients at that moment', async () => {
    const { id, opener, others } = await group();
    const [two = '', three = ''] = others;
    await post(id, opener);
    await close(id, three);
    await post(id, opener);
    const messages = (await channelEvents(fixture, id)).filter(({ type }) => type === 'MESSAGE_CREATE');
    expect(messages.map(({ account_ids }) => account_ids)).toEqual([
      [opener, two, three],
      [opener, two],
    ]);
  });
});

test('the list of private channels starts with the newest message', async () => {
  const [one = '', two = '', three = ''] = people(3);
  const dm = await open(one, [two]);
  const other = await open(one, [three]);
  expect(await listed(one)).toEqual([other.id, dm.id]);
  await post(dm.id, two);
  expect(await listed(one)).toEqual([dm.id, other.id]);
  const { channels } = await fixture.chat.listPrivateChannels({}, as(one));
  expect(channels.map(({ recipients }) => recipients.map(({ id }) => id))).toEqual([[two], [three]]);
});
