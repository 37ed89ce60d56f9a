import {
  ALL_PERMISSIONS,
  DEFAULT_EVERYONE_PERMISSIONS,
  Permission,
} from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addRole } from '../support/guilds.ts';
import { as, internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_guild_list');
});
afterAll(() => fixture.close());

/** Makes an existing account a member. */
async function join(guild_id: string, account_id: string): Promise<void> {
  await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [
    guild_id,
    account_id,
  ]);
}

test('an account sees its guilds by ID, with their current state and its permissions', async () => {
  const account = addAccount(fixture);
  const { guild: own } = await fixture.chat.createGuild({ name: 'Own' }, as(account));
  const plain = await addGuild(fixture);
  const administered = await addGuild(fixture);
  const moderated = await addGuild(fixture);
  await addGuild(fixture);
  for (const { guild_id } of [administered, plain, moderated]) await join(guild_id, account);
  await addRole(fixture, administered.guild_id, Permission.ADMINISTRATOR, { holder: account });
  await addRole(fixture, moderated.guild_id, Permission.KICK_MEMBERS, { holder: account });
  await addRole(fixture, moderated.guild_id, Permission.BAN_MEMBERS);

  const { guilds } = await fixture.chat.listGuilds({}, as(account));
  expect(guilds.map(({ id, permissions }) => [id, permissions])).toEqual([
    [own?.id, String(ALL_PERMISSIONS)],
    [plain.guild_id, String(DEFAULT_EVERYONE_PERMISSIONS)],
    [administered.guild_id, String(ALL_PERMISSIONS)],
    [moderated.guild_id, String(DEFAULT_EVERYONE_PERMISSIONS | Permission.KICK_MEMBERS)],
  ]);
  for (const guild of guilds) {
    const { guild: alone } = await fixture.chat.getGuild({ guild_id: guild.id }, as(account));
    expect({ ...guild, permissions: null }).toEqual(alone);
  }
  expect(guilds.map(({ roles }) => roles.length)).toEqual([1, 1, 2, 3]);
});

test('roles may have any name, and are the same as those of a single guild', async () => {
  const { guild_id, owner } = await addGuild(fixture);
  const names = ['"', '\\', '\\"', '\n\t', '{"id":"1"}', 'é 🎈', "'"];
  for (const [position, name] of names.entries()) {
    await fixture.sql.query(
      `INSERT INTO roles (id, guild_id, name, color, position, hoist, mentionable, permissions)
       VALUES ($1, $2, $3, $4, $4, $5, $6, $7)`,
      [
        BigInt(guild_id) + BigInt(position) + 1n,
        guild_id,
        name,
        position,
        position % 2 === 0,
        position > 3,
        2n ** 54n,
      ],
    );
  }
  const { guilds } = await fixture.chat.listGuilds({}, as(owner));
  const { guild } = await fixture.chat.getGuild({ guild_id }, as(owner));
  expect(guilds.map(({ roles }) => roles)).toEqual([guild?.roles]);
  expect(new Set(guild?.roles.map(({ name }) => name))).toEqual(new Set(['@everyone', ...names]));
});

test('has pages by before, after and limit, and does not call auth', async () => {
  const account = addAccount(fixture);
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) {
    const { guild } = await fixture.chat.createGuild({ name: `${n}` }, as(account));
    ids.push(guild?.id ?? '');
  }
  const lookups = fixture.lookups.length;
  const page = async (request: { before?: string; after?: string; limit?: number }) =>
    (await fixture.chat.listGuilds(request, as(account))).guilds.map(({ id }) => ids.indexOf(id));
  const [third = '', fifth = ''] = [ids[2], ids[4]];
  expect(await page({})).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await page({ limit: 3 })).toEqual([0, 1, 2]);
  expect(await page({ after: third })).toEqual([3, 4, 5, 6]);
  expect(await page({ after: third, limit: 2 })).toEqual([3, 4]);
  expect(await page({ before: fifth, limit: 2 })).toEqual([2, 3]);
  expect(await page({ before: third, after: fifth, limit: 1 })).toEqual([1]);
  expect(await page({ before: '0' })).toEqual([]);
  expect(fixture.lookups.length).toBe(lookups);
});

test('is empty for an account without guilds, and without an account', async () => {
  expect((await fixture.chat.listGuilds({}, as(addAccount(fixture)))).guilds).toEqual([]);
  expect(await reasonOf(fixture.chat.listGuilds({}, internally))).toBe('UNAUTHORIZED');
});

test('omits guilds that the account left', async () => {
  const { guild_id } = await addGuild(fixture);
  const member = await addMember(fixture, guild_id);
  expect((await fixture.chat.listGuilds({}, as(member))).guilds).toHaveLength(1);
  await fixture.chat.leaveGuild({ guild_id }, as(member));
  expect((await fixture.chat.listGuilds({}, as(member))).guilds).toEqual([]);
});

test.each([
  [{ limit: 0 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  [{ limit: 201 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  [{ limit: -1 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  [{ before: 'x' }, 'before INVALID_SNOWFLAKE_FORMAT'],
  [{ after: '9223372036854775808' }, 'after INVALID_SNOWFLAKE_FORMAT'],
])('refuses %j', async (request, violation) => {
  expect(await violationsOf(fixture.chat.listGuilds(request, as(addAccount(fixture))))).toEqual([violation]);
});
