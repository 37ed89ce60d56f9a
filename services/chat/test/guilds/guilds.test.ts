import { DEFAULT_EVERYONE_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addAccount,
  addChannel,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from '../support/guilds.ts';
import { as, internally, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_guilds');
});
afterAll(() => fixture.close());

describe('a new guild', () => {
  test('has its owner, an @everyone role with the guild’s ID and the default permissions, and a channel "general"', async () => {
    const { owner, guild, guild_id, general } = await addGuild(fixture);
    expect(guild).toEqual({
      id: guild_id,
      name: 'Guild',
      icon: null,
      owner_id: owner,
      features: [],
      member_count: 1,
      permissions: null,
      roles: [
        {
          id: guild_id,
          name: '@everyone',
          color: 0,
          position: 0,
          hoist: false,
          mentionable: false,
          permissions: String(DEFAULT_EVERYONE_PERMISSIONS),
        },
      ],
    });
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild).toEqual(guild);
    expect((await fixture.chat.getChannel({ channel_id: general }, as(owner))).channel).toEqual({
      id: general,
      guild_id,
      type: 0,
      name: 'general',
      topic: null,
      position: 0,
      parent_id: null,
      rate_limit_per_user: 0,
      permission_overwrites: [],
      last_message_id: null,
      owner_id: null,
      recipients: [],
    });
  });

  test('is written to the event log', async () => {
    const { owner, guild_id } = await addGuild(fixture);
    const { rows } = await fixture.sql.query(
      'SELECT type, account_ids, channel_id, payload FROM events WHERE guild_id = $1',
      [guild_id],
    );
    expect(rows).toEqual([
      { type: 'GUILD_CREATE', account_ids: [owner], channel_id: null, payload: { guild_id } },
    ]);
  });

  test('is created completely or not at all', async () => {
    const tables = ['guilds', 'roles', 'members', 'channels', 'events'];
    const counts = async () =>
      Promise.all(
        tables.map(async (t) => (await fixture.sql.query(`SELECT count(*) FROM ${t}`)).rows[0].count),
      );
    const before = await counts();
    await fixture.sql.query(`ALTER TABLE events ADD CONSTRAINT broken CHECK (false) NOT VALID`);
    try {
      const call = fixture.chat.createGuild({ name: 'Half' }, as(addAccount(fixture)));
      expect(await reasonOf(call)).toBe('INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql.query('ALTER TABLE events DROP CONSTRAINT broken');
    }
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['', ['name STRING_LENGTH_INVALID']],
    ['   ', ['name STRING_LENGTH_INVALID']],
    ['x'.repeat(101), ['name STRING_LENGTH_INVALID']],
    ['nul\0', ['name INVALID_FORMAT']],
    ['\u2800', ['name INVALID_FORMAT']],
    ['a\u2066b', ['name INVALID_FORMAT']],
  ])('cannot have the name %j', async (name, violations) => {
    expect(await violationsOf(fixture.chat.createGuild({ name }, as(addAccount(fixture))))).toEqual(
      violations,
    );
  });

  test('has a trimmed name of up to 100 code points', async () => {
    const { guild } = await fixture.chat.createGuild(
      { name: ` ${'🏠'.repeat(100)} ` },
      as(addAccount(fixture)),
    );
    expect(guild?.name).toBe('🏠'.repeat(100));
  });

  test('needs an account', async () => {
    expect(await reasonOf(fixture.chat.createGuild({ name: 'Nobody’s' }, internally))).toBe('UNAUTHORIZED');
  });
});

describe('guild and channel routes', () => {
  test('are MISSING_ACCESS for a stranger, and NOT_FOUND for unknown IDs', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const stranger = as(addAccount(fixture));
    const { chat } = fixture;
    for (const [guild, channel, reason] of [
      [guild_id, general, 'MISSING_ACCESS'],
      [newId(), newId(), 'NOT_FOUND'],
      ['0', '9223372036854775807', 'NOT_FOUND'],
      ['', 'a\0b', 'NOT_FOUND'],
      ['9223372036854775808', '12x', 'NOT_FOUND'],
    ] as const) {
      expect(await reasonOf(chat.getGuild({ guild_id: guild }, stranger))).toBe(reason);
      expect(await reasonOf(chat.listGuildChannels({ guild_id: guild }, stranger))).toBe(reason);
      expect(await reasonOf(chat.getChannel({ channel_id: channel }, stranger))).toBe(reason);
      expect(await reasonOf(chat.listMessages({ channel_id: channel }, stranger))).toBe(reason);
      expect(await reasonOf(chat.getMessage({ channel_id: channel, message_id: '1' }, stranger))).toBe(
        reason,
      );
      expect(await reasonOf(chat.createMessage(messageOf(channel, 'hi'), stranger))).toBe(reason);
    }
  });

  test('never return a private channel', async () => {
    const { owner } = await addGuild(fixture);
    const channel_id = await addChannel(fixture, null, 1);
    expect(await reasonOf(fixture.chat.getChannel({ channel_id }, as(owner)))).toBe('MISSING_ACCESS');
  });

  test('return the channels that a member can view, by position', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    const voice = await addChannel(fixture, guild_id, 2);
    const hidden = await addChannel(fixture, guild_id, 0);
    await addOverwrite(fixture, hidden, { id: guild_id, type: 0, deny: Permission.VIEW_CHANNEL });
    const seenBy = async (account: string) =>
      (await fixture.chat.listGuildChannels({ guild_id }, as(account))).channels.map(({ id }) => id);

    expect(await seenBy(member)).toEqual([general, voice]);
    expect(await seenBy(owner)).toEqual([general, voice, hidden]);
    expect(await reasonOf(fixture.chat.getChannel({ channel_id: hidden }, as(member)))).toBe(
      'MISSING_ACCESS',
    );
    const { channel } = await fixture.chat.getChannel({ channel_id: hidden }, as(owner));
    expect(channel?.permission_overwrites).toEqual([
      { id: guild_id, type: 0, allow: '0', deny: String(Permission.VIEW_CHANNEL) },
    ]);
    await addOverwrite(fixture, hidden, { id: member, type: 1, allow: Permission.VIEW_CHANNEL });
    expect(await seenBy(member)).toEqual([general, voice, hidden]);
  });
});

describe('AuthorizeWebhooks', () => {
  const authorize = (account: string, channel_id: string) =>
    fixture.chat.authorizeWebhooks({ channel_id }, as(account));

  test('lets the owner manage webhooks of text and voice channels', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    expect(await authorize(owner, general)).toEqual({ guild_id, reason: null });
    expect(await authorize(owner, await addChannel(fixture, guild_id, 2))).toEqual({
      guild_id,
      reason: null,
    });
  });

  test('refuses categories and private channels as BAD_REQUEST, unknown ones as NOT_FOUND', async () => {
    const { owner, guild_id } = await addGuild(fixture);
    expect(await reasonOf(authorize(owner, await addChannel(fixture, guild_id, 4)))).toBe('BAD_REQUEST');
    expect(await reasonOf(authorize(owner, await addChannel(fixture, null, 1)))).toBe('BAD_REQUEST');
    expect(await reasonOf(authorize(owner, await addChannel(fixture, null, 3)))).toBe('BAD_REQUEST');
    expect(await reasonOf(authorize(owner, newId()))).toBe('NOT_FOUND');
  });

  test('requires membership, MANAGE_WEBHOOKS in the guild, and both permissions in the channel', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const { MANAGE_WEBHOOKS, VIEW_CHANNEL } = Permission;
    const refused = async (account: string, channel = general) =>
      expect(await reasonOf(authorize(account, channel))).toBe('FORBIDDEN');

    await refused(addAccount(fixture));
    const member = await addMember(fixture, guild_id);
    await refused(member);

    // An overwrite alone does not give the guild's permission.
    const opened = await addChannel(fixture, guild_id, 0);
    await addOverwrite(fixture, opened, { id: member, type: 1, allow: MANAGE_WEBHOOKS });
    await refused(member, opened);

    await addRole(fixture, guild_id, MANAGE_WEBHOOKS, { holder: member });
    expect(await authorize(member, general)).toEqual({ guild_id, reason: null });

    const noWebhooks = await addChannel(fixture, guild_id, 0);
    await addOverwrite(fixture, noWebhooks, { id: member, type: 1, deny: MANAGE_WEBHOOKS });
    await refused(member, noWebhooks);
    const hidden = await addChannel(fixture, guild_id, 0);
    await addOverwrite(fixture, hidden, { id: guild_id, type: 0, deny: VIEW_CHANNEL });
    await refused(member, hidden);
  });

  test('ignores roles of a guild that the account left', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.ADMINISTRATOR, { holder: member });
    expect(await authorize(member, general)).toEqual({ guild_id, reason: null });
    await fixture.sql.query('DELETE FROM members WHERE account_id = $1', [member]);
    expect(await reasonOf(authorize(member, general))).toBe('FORBIDDEN');
  });
});
