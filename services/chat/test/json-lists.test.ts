import { readFileSync } from 'node:fs';
import { Permission } from '@gatehouse/chat-client/permissions';
import { jsonWriter } from '@gatehouse/kit/json';
import { MAX_MESSAGE_BYTES } from '@gatehouse/kit/rpc/limits';
import type {
  ListGuildsResponse,
  ListMembersResponse,
  ListMessagesResponse,
  Message,
} from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addRole, newId } from './support/guilds.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from './support/requests.ts';
import { type ChatFixture, startChat } from './support/start-chat.ts';

/*
 * Lists that chat writes as JSON. Their schema is the contract's: the edge's writer makes the same of the messages of
 * the same RPC without as_json.
 */
const writeMessages = jsonWriter<ListMessagesResponse>('gatehouse.chat.v1.ListMessagesResponse', 'messages');
const writeGuilds = jsonWriter<ListGuildsResponse>('gatehouse.chat.v1.ListGuildsResponse', 'guilds');
const writeMembers = jsonWriter<ListMembersResponse>('gatehouse.chat.v1.ListMembersResponse', 'members');
const writeMessage = jsonWriter<Message>('gatehouse.chat.v1.Message');

const TEXTS = [
  'plain',
  '"',
  '\\',
  '\\"',
  '\n\t\r\b\f',
  '{"id":"1"}',
  'é 🎈',
  "'",
  '\u2028\u2029',
  '\u0001\u007f',
  '$&',
];

/** The migration that writes the roles of guilds without a list. */
const EXISTING_LISTS = readFileSync(
  new URL('../migrations/0003_existing_guild_role_lists.sql', import.meta.url),
  'utf8',
);

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_json_lists', 2);
});
afterAll(() => fixture.close());

function parsed(json: Uint8Array | null | undefined): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json ?? undefined));
}

describe('messages as JSON', () => {
  test('are those of the contract, whatever they contain', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    const friend = await addMember(fixture, guild_id);
    const deleted = await addMember(fixture, guild_id);
    const role = await addRole(fixture, guild_id, 0n, { mentionable: true });
    const post = (message: Parameters<typeof messageOf>[1], account = owner) =>
      fixture.chat.createMessage(messageOf(general, message), as(account));
    for (const content of TEXTS) await post(`${content}.`);
    await post({ content: `<@${friend}> <@${deleted}> <@&${role}> @everyone`, nonce: 'n', flags: 4096 });
    await post('bye', deleted);
    for (const embed of embeds()) await post({ embeds: [embed] });
    await post({ embeds: embeds().slice(0, 3) });
    await fixture.chat.createWebhookMessage(
      webhookMessageOf(general, { content: 'x', avatar: 'a_1' }),
      internally,
    );
    const name = { username: '"é\\ 🎈', content: 'y' };
    await fixture.chat.createWebhookMessage(webhookMessageOf(general, name), internally);
    const { message } = await post('first');
    await fixture.chat.updateMessage(
      { channel_id: general, message_id: message?.id ?? '', content: { value: 'second' } },
      as(owner),
    );
    await fixture.sql.query('UPDATE messages SET pinned = true WHERE id = $1', [message?.id]);
    fixture.accounts.delete(deleted);

    for (const limit of [100, 1]) {
      const request = { channel_id: general, limit };
      const { messages, json } = await fixture.chat.listMessages({ ...request, as_json: true }, as(owner));
      const plain = await fixture.chat.listMessages(request, as(owner));
      expect([messages, plain.json]).toEqual([[], null]);
      expect(parsed(json)).toEqual(JSON.parse(writeMessages(plain)));
    }
  });

  test('are each what a request for the message alone returns', async () => {
    const { owner, general } = await addGuild(fixture);
    for (const embed of embeds())
      await fixture.chat.createMessage(
        messageOf(general, { content: TEXTS.join(''), embeds: [embed] }),
        as(owner),
      );
    const { json } = await fixture.chat.listMessages({ channel_id: general, as_json: true }, as(owner));
    const listed = parsed(json) as { readonly id: string }[];
    expect(listed).toHaveLength(embeds().length);
    for (const one of listed) {
      const { message } = await fixture.chat.getMessage(
        { channel_id: general, message_id: one.id },
        as(owner),
      );
      expect(message && JSON.parse(writeMessage(message))).toEqual(one);
    }
  });

  test('are an empty array in an empty channel', async () => {
    const { owner, general } = await addGuild(fixture);
    const { json } = await fixture.chat.listMessages({ channel_id: general, as_json: true }, as(owner));
    expect(parsed(json)).toEqual([]);
  });
});

/** An embed with every member, one with each member alone, and one with every text. */
function embeds() {
  const url = 'https://a.example/?q="é"';
  const all = {
    title: 't',
    description: 'd',
    url,
    color: 0xabcdef,
    timestamp: '2026-01-02T03:04:05.678Z',
    author: { name: 'n', url, icon_url: url },
    footer: { text: 'f', icon_url: url },
    image: { url },
    thumbnail: { url },
    fields: TEXTS.filter((text) => text.trim() !== '').map((text, n) => ({
      name: text,
      value: text,
      inline: n % 2 === 0,
    })),
  };
  const single = Object.entries(all).map(([name, value]) => embedOf({ description: 'x', [name]: value }));
  return [embedOf(all), ...single, embedOf({ author: { name: 'n' }, footer: { text: 'f' } })];
}

describe('members as JSON', () => {
  test('are those of the contract', async () => {
    const { owner, guild_id } = await addGuild(fixture);
    for (const text of TEXTS) {
      const member = await addMember(fixture, guild_id);
      await addRole(fixture, guild_id, 0n, { holder: member });
      await fixture.sql.query(
        `UPDATE members SET nick = $2, bio = $2, pronouns = $2, avatar = 'a_0123', banner = '0123', accent_color = 5
         WHERE account_id = $1`,
        [member, text],
      );
      fixture.accounts.set(member, { ...user(member), username: text, global_name: text });
    }
    fixture.accounts.delete(await addMember(fixture, guild_id));
    for (const limit of [1_000, 1]) {
      const request = { guild_id, limit };
      const { members, json } = await fixture.chat.listMembers({ ...request, as_json: true }, as(owner));
      const plain = await fixture.chat.listMembers(request, as(owner));
      expect([members, plain.json]).toEqual([[], null]);
      expect(plain.members).toHaveLength(Math.min(limit, TEXTS.length + 2));
      expect(parsed(json)).toEqual(JSON.parse(writeMembers(plain)));
    }
  });

  function user(id: string) {
    return { id, username: '', discriminator: '0', global_name: null, avatar: 'a_1', bot: true };
  }
});

describe('guilds as JSON', () => {
  test('are those of the contract, with the caller’s permissions', async () => {
    const account = addAccount(fixture);
    await fixture.chat.createGuild({ name: 'Own' }, as(account));
    for (const [n, text] of TEXTS.entries()) {
      const { guild_id } = await addGuild(fixture);
      await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [
        guild_id,
        account,
      ]);
      await fixture.sql.query('UPDATE guilds SET name = $2, icon = $3, features = $4 WHERE id = $1', [
        guild_id,
        text,
        n % 2 === 0 ? null : 'a_0123',
        n % 3 === 0 ? [] : ['A', text],
      ]);
      for (const name of TEXTS.slice(0, n))
        await fixture.sql.query(
          'INSERT INTO roles (id, guild_id, name, color, hoist) VALUES ($1, $2, $3, $4, true)',
          [newId(), guild_id, name, n],
        );
      await addRole(fixture, guild_id, [0n, Permission.ADMINISTRATOR, Permission.KICK_MEMBERS][n % 3] ?? 0n, {
        holder: account,
      });
    }
    for (const request of [{}, { limit: 1 }, { after: newId() }]) {
      const { guilds, json } = await fixture.chat.listGuilds({ ...request, as_json: true }, as(account));
      const plain = await fixture.chat.listGuilds(request, as(account));
      expect([guilds, plain.json]).toEqual([[], null]);
      expect(parsed(json)).toEqual(JSON.parse(writeGuilds(plain)));
      expect(plain.guilds.length).toBeGreaterThan(0);
      for (const { permissions, ...guild } of plain.guilds) {
        const { guild: alone } = await fixture.chat.getGuild({ guild_id: guild.id }, as(account));
        expect(alone).toEqual({ ...guild, permissions: null });
        expect(permissions).toMatch(/^\d+$/);
      }
    }
  });

  test('have the roles after every kind of change', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const expectCurrent = async (roles: number) => {
      const { guild } = await fixture.chat.getGuild({ guild_id }, as(owner));
      const { guilds } = await fixture.chat.listGuilds({}, as(owner));
      expect(guild?.roles).toHaveLength(roles);
      expect(guilds.map((one) => one.roles)).toEqual([guild?.roles]);
    };
    await expectCurrent(1);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const { role } = await fixture.chat.createRole({ guild_id, name }, as(owner));
      ids.push(role?.id ?? '');
      await expectCurrent(ids.length + 1);
    }
    const [a = '', b = '', c = ''] = ids;
    await fixture.chat.updateRole({ guild_id, role_id: a, name: 'é"', color: 1, hoist: true }, as(owner));
    await fixture.chat.updateRole({ guild_id, role_id: guild_id, permissions: '0' }, as(owner));
    await expectCurrent(4);
    const positions = [a, b, c].map((id, index) => ({ id, position: index + 1 }));
    await fixture.chat.updateRolePositions({ guild_id, positions }, as(owner));
    await expectCurrent(4);
    await fixture.chat.deleteRole({ guild_id, role_id: b }, as(owner));
    await expectCurrent(3);
    await fixture.sql.query('DELETE FROM guild_role_lists WHERE guild_id = $1', [guild_id]);
    await fixture.sql.query(EXISTING_LISTS);
    await expectCurrent(3);
    await fixture.sql.query('UPDATE guild_role_lists SET json = $2 WHERE guild_id = $1', [guild_id, '']);
    await fixture.sql.query(EXISTING_LISTS); // leaves what a trigger has written
    const { rows: lists } = await fixture.sql.query('SELECT json FROM guild_role_lists WHERE guild_id = $1', [
      guild_id,
    ]);
    expect(lists).toEqual([{ json: '' }]);
    await fixture.chat.deleteGuild({ guild_id }, as(owner));
    const { rows } = await fixture.sql.query('SELECT FROM guild_role_lists WHERE guild_id = $1', [guild_id]);
    expect(rows).toEqual([]);
  });

  test('have all roles that many callers create at once at two replicas', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const names = Array.from({ length: 40 }, (_, n) => `role ${n}`);
    const replicas = fixture.replicas;
    await Promise.all(
      names.map((name, n) => replicas[n % replicas.length]?.createRole({ guild_id, name }, as(owner))),
    );
    const { guilds } = await fixture.chat.listGuilds({}, as(owner));
    const listed = guilds[0]?.roles.map(({ name }) => name) ?? [];
    expect(listed.sort()).toEqual(['@everyone', ...names].sort());
  });

  test('fit into a message, however long the names of their roles are as JSON', async () => {
    const { guild_id } = await addGuild(fixture);
    await fixture.sql.query(
      `INSERT INTO roles (id, guild_id, name, color, position, permissions)
       SELECT 9000000000000000000 + n, $1, $2, 16777215, 250, 9223372036854775807 FROM generate_series(1, 249) AS n`,
      [guild_id, '\u0001'.repeat(100)],
    );
    const { rows } = await fixture.sql.query<{ bytes: number }>(
      'SELECT octet_length(json) AS bytes FROM guild_role_lists WHERE guild_id = $1',
      [guild_id],
    );
    expect(200 * ((rows[0]?.bytes ?? Number.NaN) + 2_000)).toBeLessThan(MAX_MESSAGE_BYTES);
  });

  test('are an empty array without guilds', async () => {
    const { json } = await fixture.chat.listGuilds({ as_json: true }, as(addAccount(fixture)));
    expect(parsed(json)).toEqual([]);
  });
});
