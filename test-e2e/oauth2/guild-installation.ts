import { beforeAll, describe, expect, it } from 'vitest';
import { ALL, bits } from '../chat/bits.ts';
import { createRole, type GuildFixture, giveRole, join, newGuild, ok } from '../chat/guild-fixture.ts';
import { expectError } from '../support/expect-error.ts';
import type { AuditLog, Guild, ListedGuild, Member, Role } from '../support/objects.ts';
import { newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { codeOf, exchange, newApplication, type TokenPair } from './calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

const GREY = 0x99aab5;
const BOT_ADD = 28;

export function guildInstallation(suite: TestSuite): void {
  let client: OauthClient;
  let fixture: GuildFixture;
  beforeAll(async () => {
    [client, fixture] = await Promise.all([newOauthClient(suite.api), newGuild(suite.api)]);
  });

  const install = (by: Pick<Person, 'api'>, into: GuildFixture, changes: Record<string, unknown> = {}) =>
    by.api.post('/oauth2/authorize/consent', {
      client_id: client.client_id,
      scope: 'bot',
      redirect_uri: REDIRECT_URI,
      guild_id: into.guild.id,
      ...changes,
    });
  const state = async ({ owner, guild }: GuildFixture) => {
    const [roles, members, log] = await Promise.all([
      ok<Role[]>(owner.api.get(`/guilds/${guild.id}/roles`)),
      ok<Member[]>(owner.api.get(`/guilds/${guild.id}/members`)),
      ok<AuditLog>(owner.api.get(`/guilds/${guild.id}/audit-logs?limit=100`)),
    ]);
    return { roles, members, log: log.audit_log_entries };
  };
  const botIn = async (into: GuildFixture) => {
    const { roles, members, log } = await state(into);
    const member = members.find(({ user }) => user.id === client.client_id);
    const added = log.filter(({ action_type }) => action_type === BOT_ADD);
    return { member, role: roles.find(({ id }) => member?.roles.includes(id)), added, roles };
  };
  const withRole = async (into: GuildFixture, permissions: string): Promise<Person> => {
    const person = await join(suite.api, into);
    await giveRole(into, person, await createRole(into, { permissions }));
    return person;
  };

  /** Holds that an attempt is refused so, and that nothing of it is seen in the guild. */
  const expectNothing = async (
    into: GuildFixture,
    attempt: () => ReturnType<typeof install>,
    status: number,
    code: string | RegExp,
  ) => {
    const before = await state(into);
    const reply = await attempt();
    expect([reply.status, reply.json<{ code: string }>().code], reply.text).toEqual([
      status,
      expect.stringMatching(code),
    ]);
    expect(reply.text).not.toContain('redirect_to');
    expect(await state(into)).toEqual(before);
  };

  describe('the installation into a guild', () => {
    it('makes the bot a member with a role of its own, above the others, and one entry in the audit log', async () => {
      const into = await newGuild(suite.api);
      await createRole(into, { name: 'one' });
      await createRole(into, { name: 'two' });
      const mask = bits('SEND_MESSAGES', 'MANAGE_MESSAGES', 'BYPASS_SLOWMODE');
      const undefinedBits = (1n << 19n) | (1n << 31n) | (1n << 63n) | (1n << 200n);
      const permissions = String(BigInt(mask) | undefinedBits);
      const code = codeOf(await install(into.owner, into, { permissions }));
      const { member, role, added, roles } = await botIn(into);
      const { token: _, ...bot } = client.application.bot;
      expect(member).toMatchObject({ user: bot, nick: null, roles: [role?.id] });
      expect(role).toMatchObject({
        name: client.application.name,
        color: GREY,
        hoist: false,
        mentionable: false,
        permissions: mask,
      });
      const others = roles.filter(({ id }) => id !== role?.id);
      expect(others).toHaveLength(3);
      for (const { position } of others) expect(role?.position).toBeGreaterThan(position);
      expect(added).toMatchObject([{ user_id: into.owner.user.id, target_id: client.client_id }]);

      const pair = await exchange(suite.api, client, { code, redirect_uri: REDIRECT_URI });
      expect(pair.json<TokenPair>().scope).toBe('bot');
      const asBot = suite.api.as(`Bot ${client.application.bot.token}`);
      expect(await ok<Guild>(asBot.get(`/guilds/${into.guild.id}`))).toMatchObject({ member_count: 2 });
      const listed = await ok<ListedGuild[]>(asBot.get('/users/@me/guilds'));
      expect(listed.map(({ id }) => id)).toContain(into.guild.id);
      await expectNothing(into, () => install(into.owner, into), 409, 'BOT_ALREADY_IN_GUILD');
      await expectNothing(
        into,
        () => install(into.owner, into, { permissions }),
        409,
        'BOT_ALREADY_IN_GUILD',
      );
    });

    it('makes no role for no permission', async () => {
      for (const permissions of ['0', '000', String(1n << 19n), null]) {
        const into = await newGuild(suite.api);
        codeOf(await install(into.owner, into, { permissions, scope: 'identify bot' }));
        const { member, roles } = await botIn(into);
        expect([member?.roles, roles.length]).toEqual([[], 1]);
      }
    });

    it('gives an owner and an administrator every permission that there is', async () => {
      for (const who of ['owner', 'administrator']) {
        const into = await newGuild(suite.api);
        const by = who === 'owner' ? into.owner : await withRole(into, bits('ADMINISTRATOR'));
        codeOf(await install(by, into, { permissions: '9'.repeat(40) }));
        const { role } = await botIn(into);
        expect([who, role?.permissions]).toEqual([who, String(BigInt('9'.repeat(40)) & ALL)]);
      }
    });

    it('lets who may manage the guild give what they hold, and no more', async () => {
      const into = await newGuild(suite.api);
      const manager = await withRole(into, bits('MANAGE_GUILD', 'MANAGE_MESSAGES'));
      const tooMuch = ['ADMINISTRATOR', 'KICK_MEMBERS', 'MANAGE_ROLES', 'BYPASS_SLOWMODE'] as const;
      for (const name of tooMuch) {
        const permissions = bits('MANAGE_MESSAGES', name);
        await expectNothing(into, () => install(manager, into, { permissions }), 403, /^MISSING_PERM|^FORB/);
      }
      const permissions = bits('MANAGE_GUILD', 'MANAGE_MESSAGES', 'SEND_MESSAGES');
      const beyond = String(BigInt(permissions) | (1n << 62n));
      codeOf(await install(manager, into, { permissions: beyond }));
      const { role, added } = await botIn(into);
      expect(role?.permissions).toBe(permissions);
      expect(added).toMatchObject([{ user_id: manager.user.id, target_id: client.client_id }]);
    });

    it('is refused to members without permission, to strangers, and into what is not there', async () => {
      const member = await withRole(fixture, bits('MANAGE_ROLES', 'KICK_MEMBERS', 'MANAGE_CHANNELS'));
      const stranger = await newcomer(suite.api);
      const forbidden = /^(FORBIDDEN|MISSING_PERMISSIONS|MISSING_ACCESS)$/;
      for (const permissions of ['0', '8', bits('KICK_MEMBERS')])
        for (const who of [member, stranger, client.owner])
          await expectNothing(fixture, () => install(who, fixture, { permissions }), 403, forbidden);
      for (const guild_id of ['1', '0', '9223372036854775807', fixture.channel.id])
        expectError(await install(fixture.owner, fixture, { guild_id }), 404, 'NOT_FOUND');
      await expectNothing(
        fixture,
        () => install(fixture.owner, fixture, { channel_id: fixture.channel.id }),
        400,
        'BAD_REQUEST',
      );
    });

    it('comes after every other check', async () => {
      const refused: [Record<string, unknown>, string][] = [
        [{ permissions: '-1' }, 'INVALID_PERMISSIONS_NEGATIVE'],
        [{ scope: 'bot nonsense' }, 'INVALID_SCOPE'],
        [{ scope: 'bot identify', response_type: 'token' }, 'INVALID_RESPONSE_TYPE_FOR_NON_BOT'],
        [{ redirect_uri: 'https://evil.test/' }, 'INVALID_REDIRECT_URI'],
        [{ scope: 'bot identify', redirect_uri: undefined }, 'MISSING_REDIRECT_URI'],
        [{ code_challenge_method: 'S256' }, 'INVALID_REQUEST'],
      ];
      for (const [changes, code] of refused)
        await expectNothing(fixture, () => install(fixture.owner, fixture, changes), 400, code);
    });

    it('is not done for other scopes: the guild is not looked at', async () => {
      for (const guild_id of ['1', fixture.guild.id])
        codeOf(await install(fixture.owner, fixture, { guild_id, scope: 'identify guilds' }));
      expect((await botIn(fixture)).member).toBeUndefined();
      codeOf(await install(fixture.owner, fixture, { guild_id: undefined }));
      expect((await botIn(fixture)).member).toBeUndefined();
    });

    it('leaves nothing behind where the role does not fit', async () => {
      const into = await newGuild(suite.api);
      const roles = Array.from({ length: 249 }, (_, n) => n);
      while (roles.length > 0)
        await Promise.all(roles.splice(0, 10).map((n) => createRole(into, { name: `role ${n}` })));
      await expectNothing(into, () => install(into.owner, into, { permissions: '8' }), 400, 'BAD_REQUEST');
      codeOf(await install(into.owner, into));
      expect((await botIn(into)).member?.roles).toEqual([]);
    });

    it('happens once, of sixteen at the same time', async () => {
      const into = await newGuild(suite.api);
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => install(into.owner, into, { permissions: '8' })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)]);
      const { role, added, roles } = await botIn(into);
      expect([role?.permissions, roles.length, added.length]).toEqual(['8', 2, 1]);
    });

    it('of several bots at the same time gives each a role of its own', async () => {
      const into = await newGuild(suite.api);
      const bots = await Promise.all(Array.from({ length: 8 }, () => newApplication(client.owner)));
      const replies = await Promise.all(
        bots.map(({ id }) =>
          install(into.owner, into, { client_id: id, redirect_uri: undefined, permissions: '8' }),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const { roles, members } = await state(into);
      expect(roles.map(({ position }) => position).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 9 }, (_, n) => n),
      );
      expect(new Set(members.flatMap((member) => member.roles)).size).toBe(8);
    });

    it('keeps the reason that came with it', async () => {
      const into = await newGuild(suite.api);
      const body = { client_id: client.client_id, scope: 'bot', guild_id: into.guild.id };
      const headers = { 'x-audit-log-reason': 'to%20help' };
      expect((await into.owner.api.post('/oauth2/authorize/consent', body, headers)).status).toBe(200);
      expect((await botIn(into)).added).toMatchObject([{ reason: 'to help' }]);
    });

    it('can be done again after the bot was removed', async () => {
      const into = await newGuild(suite.api);
      codeOf(await install(into.owner, into, { permissions: '8' }));
      const path = `/guilds/${into.guild.id}/members/${client.client_id}`;
      expect((await into.owner.api.send('DELETE', path)).status).toBe(204);
      codeOf(await install(into.owner, into, { permissions: '1024' }));
      expect((await botIn(into)).role?.permissions).toBe('1024');
    });
  });
}
