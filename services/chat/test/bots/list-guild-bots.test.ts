import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount, addGuild, addMember } from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_list_guild_bots');
});
afterAll(() => fixture.close());

async function install(guild_id: string, by: string, permissions: bigint): Promise<string> {
  const bot_id = addAccount(fixture, 'clock');
  const request = { bot_id, application_name: 'Clock', guild_id, permissions: String(permissions) };
  await fixture.chat.installBot(request, as(by));
  return bot_id;
}

test('the bots of a guild are listed with their installer, roles and permissions, in pages', async () => {
  const { guild_id, owner, guild } = await addGuild(fixture);
  await addMember(fixture, guild_id);
  const everyone = BigInt(guild.roles[0]?.permissions ?? '0');
  const kicking = await install(guild_id, owner, Permission.KICK_MEMBERS);
  const plain = await install(guild_id, owner, 0n);
  const all = await install(guild_id, owner, Permission.ADMINISTRATOR);
  await install((await addGuild(fixture)).guild_id, owner, 0n).catch(() => undefined);

  const { bots } = await fixture.chat.listGuildBots({ guild_id }, as(owner));
  expect(bots.map(({ user }) => user?.id)).toEqual([kicking, plain, all]);
  expect(bots.map(({ installed_by }) => installed_by?.id)).toEqual([owner, owner, owner]);
  expect(bots.map(({ roles }) => roles.length)).toEqual([1, 0, 1]);
  expect(bots.map(({ permissions }) => BigInt(permissions))).toEqual([
    everyone | Permission.KICK_MEMBERS,
    everyone,
    ALL_PERMISSIONS,
  ]);
  for (const { installed_at } of bots) expect(Date.parse(installed_at)).toBeGreaterThan(Date.now() - 600_000);

  const first = await fixture.chat.listGuildBots({ guild_id, limit: 2 }, as(owner));
  expect(first.bots).toEqual(bots.slice(0, 2));
  const second = await fixture.chat.listGuildBots({ guild_id, after: plain }, as(owner));
  expect(second.bots).toEqual(bots.slice(2));
});

test('a deleted installer is null, a deleted bot is "Deleted User", and a removed bot is gone', async () => {
  const { guild_id, owner } = await addGuild(fixture);
  const bot = await install(guild_id, owner, 0n);
  fixture.accounts.delete(owner);
  fixture.accounts.delete(bot);
  const { bots } = await fixture.chat.listGuildBots({ guild_id }, as(owner));
  expect(bots).toMatchObject([{ user: { id: bot, username: 'Deleted User' }, installed_by: null }]);
  await fixture.chat.removeMember({ guild_id, user_id: bot }, as(owner));
  expect((await fixture.chat.listGuildBots({ guild_id }, as(owner))).bots).toEqual([]);
});

test.each([
  [{ limit: 0 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  [{ limit: 101 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  [{ after: 'x' }, 'after INVALID_SNOWFLAKE_FORMAT'],
])('%o is refused', async (page, violation) => {
  const { guild_id, owner } = await addGuild(fixture);
  const list = fixture.chat.listGuildBots({ guild_id, ...page }, as(owner));
  expect(await violationsOf(list)).toEqual([violation]);
});
