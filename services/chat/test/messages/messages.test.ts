import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addChannel, addGuild, addMember, addOverwrite, newId } from '../support/guilds.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const TIME_MS = Date.UTC(2024, 0, 31, 12, 0, 0, 250);

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_messages', 1, { clock: () => TIME_MS });
});
afterAll(() => fixture.close());

describe('a message', () => {
  test('has the same fields when posted, read and listed', async () => {
    const { owner, general } = await addGuild(fixture);
    const { message } = await fixture.chat.createMessage(
      messageOf(general, { content: ' Hello ', nonce: 'n1' }),
      as(owner),
    );
    const expected = {
      id: message?.id,
      channel_id: general,
      author: fixture.accounts.get(owner),
      webhook_id: null,
      type: 0,
      flags: 0,
      content: 'Hello',
      timestamp: '2024-01-31T12:00:00.250Z',
      edited_timestamp: null,
      pinned: false,
      mention_everyone: false,
      tts: false,
      mentions: [],
      mention_roles: [],
      embeds: [],
      attachments: [],
      nonce: 'n1',
    };
    expect(message).toEqual(expected);
    expect(BigInt(message?.id ?? 0) >> 22n).toBe(BigInt(TIME_MS - SNOWFLAKE_EPOCH_MS));
    const read = { ...expected, nonce: null };
    const options = as(owner);
    const message_id = message?.id ?? '';
    expect((await fixture.chat.getMessage({ channel_id: general, message_id }, options)).message).toEqual(
      read,
    );
    expect((await fixture.chat.listMessages({ channel_id: general }, options)).messages).toEqual([read]);
    const { channel } = await fixture.chat.getChannel({ channel_id: general }, options);
    expect(channel?.last_message_id).toBe(message_id);
  });

  test('of a deleted account is by "Deleted User"', async () => {
    const { owner, general } = await addGuild(fixture);
    await fixture.chat.createMessage(messageOf(general, `<@${owner}>`), as(owner));
    fixture.accounts.delete(owner);
    const { messages } = await fixture.chat.listMessages({ channel_id: general }, as(owner));
    const gone = {
      id: owner,
      username: 'Deleted User',
      discriminator: '0',
      global_name: null,
      avatar: null,
      bot: false,
    };
    expect(messages.map(({ author, mentions }) => [author, mentions])).toEqual([[gone, [gone]]]);
  });

  test('that does not exist, or is in another channel, is UNKNOWN_MESSAGE', async () => {
    const { owner, general } = await addGuild(fixture);
    const other = await addGuild(fixture);
    const { message } = await fixture.chat.createMessage(messageOf(other.general, 'x'), as(other.owner));
    for (const message_id of [message?.id ?? '', newId(), '0', '', 'a\0b', '9223372036854775808']) {
      const call = fixture.chat.getMessage({ channel_id: general, message_id }, as(owner));
      expect(await reasonOf(call)).toBe('UNKNOWN_MESSAGE');
    }
  });

  test('cannot be listed around, before or after an invalid ID', async () => {
    const { owner, general } = await addGuild(fixture);
    const page = { channel_id: general, around: '-1', before: 'a\0b', after: '12x' };
    expect(await violationsOf(fixture.chat.listMessages(page, as(owner)))).toEqual([
      'around INVALID_SNOWFLAKE_FORMAT',
      'before INVALID_SNOWFLAKE_FORMAT',
      'after INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  test('calls auth once for all users of a page', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    const members = await Promise.all(Array.from({ length: 5 }, () => addMember(fixture, guild_id)));
    const mentioned = addAccount(fixture);
    for (const member of members) {
      await fixture.chat.createMessage(messageOf(general, `<@${mentioned}>`), as(member));
    }
    fixture.lookups.length = 0;
    await fixture.chat.listMessages({ channel_id: general }, as(owner));
    expect(fixture.lookups).toEqual([[...members, mentioned].sort()]);
  });
});

describe('permissions', () => {
  const denied = async (deny: bigint) => {
    const home = await addGuild(fixture);
    const { message } = await fixture.chat.createMessage(messageOf(home.general, 'x'), as(home.owner));
    const member = await addMember(fixture, home.guild_id);
    await addOverwrite(fixture, home.general, { id: member, type: 1, deny });
    const options = as(member);
    const channel_id = home.general;
    const embeds = [embedOf({ title: 't' })];
    return {
      list: () => fixture.chat.listMessages({ channel_id }, options),
      get: () => fixture.chat.getMessage({ channel_id, message_id: message?.id ?? '' }, options),
      send: () => fixture.chat.createMessage(messageOf(channel_id, 'x'), options),
      embed: () => fixture.chat.createMessage(messageOf(channel_id, { embeds }), options),
    };
  };

  test('without VIEW_CHANNEL everything is MISSING_ACCESS', async () => {
    const routes = await denied(Permission.VIEW_CHANNEL);
    for (const route of Object.values(routes)) expect(await reasonOf(route())).toBe('MISSING_ACCESS');
  });

  test('READ_MESSAGE_HISTORY, SEND_MESSAGES and EMBED_LINKS are required for their actions', async () => {
    const history = await denied(Permission.READ_MESSAGE_HISTORY);
    expect(await reasonOf(history.list())).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(history.get())).toBe('MISSING_PERMISSIONS');
    await history.send();

    const sending = await denied(Permission.SEND_MESSAGES);
    expect(await reasonOf(sending.send())).toBe('MISSING_PERMISSIONS');
    expect((await sending.list()).messages).toHaveLength(1);
    await sending.get();

    const embedding = await denied(Permission.EMBED_LINKS);
    expect(await reasonOf(embedding.embed())).toBe('MISSING_PERMISSIONS');
    await embedding.send();
  });

  test('a category has no messages', async () => {
    const { owner, guild_id } = await addGuild(fixture);
    const category = await addChannel(fixture, guild_id, 4);
    expect(await reasonOf(fixture.chat.createMessage(messageOf(category, 'x'), as(owner)))).toBe(
      'BAD_REQUEST',
    );
    const post = fixture.chat.createWebhookMessage(webhookMessageOf(category, 'x'), internally);
    expect(await reasonOf(post)).toBe('NOT_FOUND');
  });
});

describe('the messages of a channel', () => {
  let owner: string;
  let channel_id: string;
  /** Newest first. */
  let ids: string[];
  beforeAll(async () => {
    const home = await addGuild(fixture);
    owner = home.owner;
    channel_id = home.general;
    const posted: string[] = [];
    for (let count = 0; count < 120; count++) {
      const request = webhookMessageOf(channel_id, `message ${count}`);
      posted.push((await fixture.chat.createWebhookMessage(request, internally)).message?.id ?? '');
    }
    ids = posted.reverse();
  });

  const list = async (window: { around?: string; before?: string; after?: string; limit?: number }) => {
    const { messages } = await fixture.chat.listMessages({ channel_id, ...window }, as(owner));
    return messages.map(({ id }) => id);
  };
  const at = (index: number) => ids[index] ?? '';

  test('come newest first, 50 by default, 1 to 100', async () => {
    expect(await list({})).toEqual(ids.slice(0, 50));
    expect(await list({ limit: 1 })).toEqual(ids.slice(0, 1));
    expect(await list({ limit: 100 })).toEqual(ids.slice(0, 100));
  });

  test.each([0, -1, 101, 2 ** 40])('with limit %j are a violation', async (limit) => {
    expect(await violationsOf(list({ limit }))).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
  });

  test('before a message do not include it', async () => {
    expect(await list({ before: at(10), limit: 5 })).toEqual(ids.slice(11, 16));
    expect(await list({ before: at(117), limit: 5 })).toEqual(ids.slice(118));
    expect(await list({ before: at(119) })).toEqual([]);
    expect(await list({ before: '0' })).toEqual([]);
    expect(await list({ before: '9223372036854775807', limit: 2 })).toEqual(ids.slice(0, 2));
  });

  test('after a message are the nearest newer ones, still newest first', async () => {
    expect(await list({ after: at(10), limit: 5 })).toEqual(ids.slice(5, 10));
    expect(await list({ after: at(2), limit: 5 })).toEqual(ids.slice(0, 2));
    expect(await list({ after: at(0) })).toEqual([]);
    expect(await list({ after: '0', limit: 3 })).toEqual(ids.slice(-3));
  });

  test('may be selected by IDs of no message', async () => {
    const between = String(BigInt(at(10)) + 1n);
    expect(await list({ before: between, limit: 1 })).toEqual([at(10) === '' ? '' : at(10)]);
  });

  test('around a message are half older and half newer, including it', async () => {
    expect(await list({ around: at(10), limit: 5 })).toEqual(ids.slice(8, 13));
    expect(await list({ around: at(10), limit: 4 })).toEqual(ids.slice(9, 13));
    expect(await list({ around: at(60) })).toEqual(ids.slice(36, 86));
    expect(await list({ around: at(10), limit: 1 })).toEqual([at(10)]);
    expect(await list({ around: at(0), limit: 4 })).toEqual(ids.slice(0, 3));
    expect(await list({ around: at(119), limit: 4 })).toEqual(ids.slice(118));
    expect(await list({ around: '0', limit: 4 })).toEqual(ids.slice(-2));
    expect(await list({ around: '9223372036854775807', limit: 4 })).toEqual(ids.slice(0, 2));
  });

  test('after the highest ID are none', async () => {
    expect(await list({ after: '9223372036854775807' })).toEqual([]);
    expect(await list({ before: '0', after: '0' })).toEqual([]);
  });

  test('around precedes before, and before precedes after', async () => {
    expect(await list({ before: at(10), after: at(100), limit: 2 })).toEqual(ids.slice(11, 13));
    expect(await list({ around: at(50), before: at(10), after: at(100), limit: 1 })).toEqual([at(50)]);
  });

  test('of webhooks do not call auth', async () => {
    fixture.lookups.length = 0;
    expect(await list({ limit: 100 })).toHaveLength(100);
    expect(fixture.lookups).toEqual([]);
  });

  test('of another channel are not among them', async () => {
    const other = await addGuild(fixture);
    await fixture.chat.createWebhookMessage(webhookMessageOf(other.general, 'elsewhere'), internally);
    expect(await list({ limit: 1 })).toEqual([at(0)]);
  });
});

test('pages wait for their turn without a connection; the excess pages of one account are refused, those of others are not', async () => {
  const one = await addGuild(fixture);
  const other = await addGuild(fixture);
  for (const { general, owner } of [one, other])
    await fixture.chat.createMessage(messageOf(general, 'hello'), as(owner));
  const { promise, resolve } = Promise.withResolvers<void>();
  fixture.authAnswers.gate = promise;
  const outcomes: string[] = [];
  const page = ({ general, owner }: { general: string; owner: string }) =>
    fixture.chat
      .listMessages({ channel_id: general }, as(owner))
      .then(
        ({ messages }) => messages[0]?.content ?? '',
        (error: { reason: string }) => error.reason,
      )
      .then((outcome) => outcomes.push(outcome) && outcome);
  const pages = Array.from({ length: 70 }, () => page(one));
  // Two run, and 64 wait.
  await expect.poll(() => outcomes).toEqual(Array(4).fill('SERVICE_UNAVAILABLE'));
  const others = page(other);
  // More than the pool has connections.
  const short = Array.from({ length: 16 }, () => fixture.chat.getGuild(one, as(one.owner)));
  expect((await Promise.all(short)).map(({ guild }) => guild?.id)).toEqual(Array(16).fill(one.guild_id));
  resolve();
  fixture.authAnswers.gate = Promise.resolve();
  expect(await others).toBe('hello');
  const answered = (await Promise.all(pages)).filter((outcome) => outcome === 'hello');
  expect(answered.length).toBeGreaterThan(1);
});
