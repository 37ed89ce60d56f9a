import { beforeAll, describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { expectError } from '../../support/expect-error.ts';
import { expectOk } from '../../support/expect-status.ts';
import { createRole, giveRole, join, newGuild } from '../../support/guilds.ts';
import type { AuditLog, Guild, ListedGuild, Member, Role } from '../../support/objects.ts';
import { type GuildFixture, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { codeOf, exchange, type TokenPair } from '../calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';

const GREY = 0x99aab5;
const BOT_ADD = 28;

export function guildInstallation(stack: TestStack): void {
  let client: OauthClient;
  let fixture: GuildFixture;
  beforeAll(async () => {
    [client, fixture] = await Promise.all([newOauthClient(stack.api), newGuild(stack.api)]);
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
      expectOk<Role[]>(owner.api.get(`/guilds/${guild.id}/roles`)),
      expectOk<Member[]>(owner.api.get(`/guilds/${guild.id}/members`)),
      expectOk<AuditLog>(owner.api.get(`/guilds/${guild.id}/audit-logs?limit=100`)),
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
    const person = await join(stack.api, into);
    await giveRole(into, person, await createRole(into, { permissions }));
    return person;
  };

  /** Expects that an attempt fails with this error and changes nothing in the guild. */
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
    it('adds the bot as a member with its own role above the others, and one audit log entry', async () => {
      const into = await newGuild(stack.api);
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

      const pair = await exchange(stack.api, client, { code, redirect_uri: REDIRECT_URI });
      expect(pair.json<TokenPair>().scope).toBe('bot');
      const asBot = stack.api.as(`Bot ${client.application.bot.token}`);
      expect(await expectOk<Guild>(asBot.get(`/guilds/${into.guild.id}`))).toMatchObject({ member_count: 2 });
      const listed = await expectOk<ListedGuild[]>(asBot.get('/users/@me/guilds'));
      expect(listed.map(({ id }) => id)).toContain(into.guild.id);
      await expectNothing(into, () => install(into.owner, into), 409, 'BOT_ALREADY_IN_GUILD');
      await expectNothing(
        into,
        () => install(into.owner, into, { permissions }),
        409,
        'BOT_ALREADY_IN_GUILD',
      );
    });

    it('lets a member with MANAGE_GUILD grant their own permissions only', async () => {
      const into = await newGuild(stack.api);
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

    it('is refused to members without MANAGE_GUILD, to non-members, and for unknown guilds', async () => {
      const member = await withRole(fixture, bits('MANAGE_ROLES', 'KICK_MEMBERS', 'MANAGE_CHANNELS'));
      const stranger = await newcomer(stack.api);
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

    it('does not happen with other scopes, which ignore guild_id', async () => {
      for (const guild_id of ['1', fixture.guild.id])
        codeOf(await install(fixture.owner, fixture, { guild_id, scope: 'identify guilds' }));
      expect((await botIn(fixture)).member).toBeUndefined();
      codeOf(await install(fixture.owner, fixture, { guild_id: undefined }));
      expect((await botIn(fixture)).member).toBeUndefined();
    });

    it('keeps the request’s audit log reason', async () => {
      const into = await newGuild(stack.api);
      const body = { client_id: client.client_id, scope: 'bot', guild_id: into.guild.id };
      const headers = { 'x-audit-log-reason': 'to%20help' };
      expect((await into.owner.api.post('/oauth2/authorize/consent', body, headers)).status).toBe(200);
      expect((await botIn(into)).added).toMatchObject([{ reason: 'to help' }]);
    });

    it('can be repeated after the bot was removed', async () => {
      const into = await newGuild(stack.api);
      codeOf(await install(into.owner, into, { permissions: '8' }));
      const path = `/guilds/${into.guild.id}/members/${client.client_id}`;
      expect((await into.owner.api.send('DELETE', path)).status).toBe(204);
      codeOf(await install(into.owner, into, { permissions: '1024' }));
      expect((await botIn(into)).role?.permissions).toBe('1024');
    });
  });
}
