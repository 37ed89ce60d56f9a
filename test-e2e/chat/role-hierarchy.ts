import { describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Member, Role } from '../support/objects.ts';
import type { Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { bits } from './bits.ts';
import { createRole, done, type GuildFixture, giveRole, join, newGuild, ok } from './guild-fixture.ts';

/** A guild with three roles above each other, and somebody at each. */
interface Ranks extends GuildFixture {
  roles: { high: Role; middle: Role; low: Role };
  chief: Person;
  /** At the middle, with MANAGE_ROLES, MANAGE_CHANNELS and KICK_MEMBERS. */
  manager: Person;
  peer: Person;
  novice: Person;
}

export function roleHierarchy(suite: TestSuite): void {
  async function openRanks(): Promise<Ranks> {
    const fixture = await newGuild(suite.api);
    const powers = bits('MANAGE_ROLES', 'MANAGE_CHANNELS', 'KICK_MEMBERS');
    const [high, middle, low] = [
      await createRole(fixture, { name: 'high', permissions: '0' }),
      await createRole(fixture, { name: 'middle', permissions: powers }),
      await createRole(fixture, { name: 'low', permissions: '0' }),
    ];
    await done(order(fixture, fixture.owner, [high, 3], [middle, 2], [low, 1]));
    const [chief, manager, peer, novice] = [
      await join(suite.api, fixture),
      await join(suite.api, fixture),
      await join(suite.api, fixture),
      await join(suite.api, fixture),
    ];
    await giveRole(fixture, chief, high);
    await giveRole(fixture, manager, middle);
    await giveRole(fixture, peer, middle);
    await giveRole(fixture, novice, low);
    return { ...fixture, roles: { high, middle, low }, chief, manager, peer, novice };
  }

  const order = ({ guild }: GuildFixture, by: Person, ...positions: [Role, number][]) =>
    by.api.send('PATCH', `/guilds/${guild.id}/roles`, {
      body: { positions: positions.map(([{ id }, position]) => ({ id, position })) },
    });
  const rolePath = ({ guild }: GuildFixture, { id }: Role) => `/guilds/${guild.id}/roles/${id}`;
  const memberPath = ({ guild }: GuildFixture, { user }: Person) => `/guilds/${guild.id}/members/${user.id}`;
  const heldPath = (fixture: GuildFixture, person: Person, { id }: Role) =>
    `${memberPath(fixture, person)}/roles/${id}`;
  const expectForbidden = (reply: Reply) => expectError(reply, 403, 'MISSING_PERMISSIONS');

  describe('the order of roles', () => {
    it('keeps roles at and above one’s own from being changed, moved, given and taken', async () => {
      const ranks = await openRanks();
      const { roles, chief, peer, novice, owner, guild } = ranks;
      const { api } = ranks.manager;
      for (const role of [roles.high, roles.middle]) {
        expectForbidden(await api.send('PATCH', rolePath(ranks, role), { body: { name: 'mine' } }));
        expectForbidden(await api.send('DELETE', rolePath(ranks, role)));
        expectForbidden(await api.send('PUT', heldPath(ranks, novice, role)));
      }
      expectForbidden(await api.send('DELETE', heldPath(ranks, chief, roles.high)));
      expectForbidden(await api.send('DELETE', heldPath(ranks, peer, roles.middle)));
      expectForbidden(await order(ranks, ranks.manager, [roles.low, 3]));
      expectForbidden(await order(ranks, ranks.manager, [roles.low, 2]));
      expectForbidden(await order(ranks, ranks.manager, [roles.high, 1]));
      const kept = await ok<Role[]>(owner.api.get(`/guilds/${guild.id}/roles`));
      const { high, middle, low } = roles;
      for (const [role, position] of [
        [high, 3],
        [middle, 2],
        [low, 1],
      ] as const) {
        expect(kept).toContainEqual({ ...role, position });
      }
    });

    it('lets one change what is below', async () => {
      const ranks = await openRanks();
      const { roles, novice } = ranks;
      const { api } = ranks.manager;
      const renamed = await ok<Role>(
        api.send('PATCH', rolePath(ranks, roles.low), { body: { name: 'lowest' } }),
      );
      expect(renamed.name).toBe('lowest');
      await done(api.send('DELETE', heldPath(ranks, novice, roles.low)));
      await done(api.send('PUT', heldPath(ranks, novice, roles.low)));
      expect((await ok<Member>(api.get(memberPath(ranks, novice)))).roles).toEqual([roles.low.id]);
      await done(api.send('DELETE', rolePath(ranks, roles.low)));
      expect((await ok<Member>(api.get(memberPath(ranks, novice)))).roles, 'it is told nowhere').toEqual([]);
    });

    it('keeps members at and above one’s own rank from being kicked', async () => {
      const ranks = await openRanks();
      const { chief, manager, peer, novice, owner } = ranks;
      for (const person of [owner, chief, peer]) {
        expectForbidden(await manager.api.send('DELETE', memberPath(ranks, person)));
      }
      const self = await manager.api.send('DELETE', memberPath(ranks, manager));
      expect([400, 403], 'nobody kicks themselves').toContain(self.status);
      await done(manager.api.send('DELETE', memberPath(ranks, novice)));
      expectError(await manager.api.get(memberPath(ranks, novice)), 404, 'UNKNOWN_MEMBER');
      expectError(await novice.api.get(`/guilds/${ranks.guild.id}`), 403, 'MISSING_ACCESS');
      await done(owner.api.send('DELETE', memberPath(ranks, chief)));
    });

    it('does not bind the owner', async () => {
      const ranks = await openRanks();
      const { owner, roles, novice } = ranks;
      await done(owner.api.send('PUT', heldPath(ranks, novice, roles.high)));
      await done(order(ranks, owner, [roles.low, 9]));
      await ok(
        owner.api.send('PATCH', rolePath(ranks, roles.high), {
          body: { permissions: bits('ADMINISTRATOR') },
        }),
      );
      await done(owner.api.send('DELETE', rolePath(ranks, roles.high)));
    });

    it('binds administrators too', async () => {
      const ranks = await openRanks();
      const { owner, roles, manager } = ranks;
      await ok(
        owner.api.send('PATCH', rolePath(ranks, roles.middle), {
          body: { permissions: bits('ADMINISTRATOR') },
        }),
      );
      expectForbidden(
        await manager.api.send('PATCH', rolePath(ranks, roles.high), { body: { name: 'mine' } }),
      );
      expectForbidden(await manager.api.send('PUT', heldPath(ranks, manager, roles.high)));
      expectForbidden(await manager.api.send('DELETE', `/guilds/${ranks.guild.id}`));
    });
  });

  describe('a role', () => {
    it('of another guild, or that is no more, is unknown', async () => {
      const here = await newGuild(suite.api);
      const member = await join(suite.api, here);
      const theirs = await createRole(await newGuild(suite.api), {});
      const deleted = await createRole(here, {});
      await done(here.owner.api.send('DELETE', rolePath(here, deleted)));
      for (const role of [theirs, deleted]) {
        for (const [method, path] of [
          ['PATCH', rolePath(here, role)],
          ['DELETE', rolePath(here, role)],
          ['PUT', heldPath(here, member, role)],
          ['DELETE', heldPath(here, member, role)],
        ] as const) {
          const reply = await here.owner.api.send(
            method,
            path,
            method === 'PATCH' ? { body: { name: 'x' } } : {},
          );
          expectError(reply, 404, 'UNKNOWN_ROLE');
        }
        expect([400, 404]).toContain((await order(here, here.owner, [role, 1])).status);
      }
    });

    it('of everyone is neither given nor taken nor deleted nor moved', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild } = fixture;
      const member = await join(suite.api, fixture);
      const [everyone] = guild.roles;
      if (everyone === undefined) throw new Error('no @everyone');
      for (const reply of [
        await owner.api.send('PUT', heldPath(fixture, member, everyone)),
        await owner.api.send('DELETE', heldPath(fixture, member, everyone)),
        await owner.api.send('DELETE', rolePath(fixture, everyone)),
        await order(fixture, owner, [everyone, 5]),
      ]) {
        expect([400, 403, 404], reply.text).toContain(reply.status);
      }
      expect(await ok<Role[]>(owner.api.get(`/guilds/${guild.id}/roles`))).toEqual([everyone]);
      expect((await ok<Member>(owner.api.get(memberPath(fixture, member)))).roles).toEqual([]);
    });

    it('is not given to somebody who has left', async () => {
      const fixture = await newGuild(suite.api);
      const member = await join(suite.api, fixture);
      const role = await createRole(fixture, {});
      await done(member.api.send('DELETE', `/users/@me/guilds/${fixture.guild.id}`));
      expectError(
        await fixture.owner.api.send('PUT', heldPath(fixture, member, role)),
        404,
        'UNKNOWN_MEMBER',
      );
    });

    it('has a name of 1 to 100 code points and a colour of 24 bits', async () => {
      const fixture = await newGuild(suite.api);
      const role = await createRole(fixture, { name: '😀'.repeat(100), color: 16777215 });
      const patch = (body: object) => fixture.owner.api.send('PATCH', rolePath(fixture, role), { body });
      for (const name of ['', ' ', '😀'.repeat(101)]) {
        expectError(await patch({ name }), 400, 'INVALID_FORM_BODY', { name: 'STRING_LENGTH_INVALID' });
      }
      expectError(await patch({ color: -1 }), 400, 'INVALID_FORM_BODY', { color: 'COLOR_VALUE_TOO_LOW' });
      expectError(await patch({ color: 16777216 }), 400, 'INVALID_FORM_BODY', {
        color: 'COLOR_VALUE_TOO_HIGH',
      });
    });
  });

  describe('nobody grants what they do not hold', () => {
    it('by a role', async () => {
      const ranks = await openRanks();
      const { owner, manager, novice, roles, guild } = ranks;
      const create = (permissions: string) =>
        manager.api.post(`/guilds/${guild.id}/roles`, { name: 'new', permissions });
      for (const permissions of [
        bits('BAN_MEMBERS'),
        bits('ADMINISTRATOR'),
        bits('KICK_MEMBERS', 'MANAGE_GUILD'),
      ]) {
        expectForbidden(await create(permissions));
        expectForbidden(
          await manager.api.send('PATCH', rolePath(ranks, roles.low), { body: { permissions } }),
        );
      }
      const made = await ok<Role>(create(bits('KICK_MEMBERS')));
      expect(made.permissions).toBe(bits('KICK_MEMBERS'));
      await ok(
        owner.api.send('PATCH', rolePath(ranks, roles.low), { body: { permissions: bits('BAN_MEMBERS') } }),
      );
      expectForbidden(await manager.api.send('PUT', heldPath(ranks, manager, roles.low)));
      const kept = await manager.api.send('PATCH', rolePath(ranks, roles.low), {
        body: { permissions: bits('BAN_MEMBERS', 'KICK_MEMBERS') },
      });
      expect((await ok<Role>(Promise.resolve(kept))).permissions, 'what was there may stay').toBe(
        bits('BAN_MEMBERS', 'KICK_MEMBERS'),
      );
      expect((await ok<Member>(owner.api.get(memberPath(ranks, novice)))).roles).toEqual([roles.low.id]);
    });

    it('by an overwrite, allowed or denied', async () => {
      const { channel, guild, manager, roles } = await openRanks();
      const put = (allow: string, deny: string, id = roles.low.id) =>
        manager.api.send('PUT', `/channels/${channel.id}/permissions/${id}`, {
          body: { type: 0, allow, deny },
        });
      expectForbidden(await put(bits('MENTION_EVERYONE'), '0'));
      expectForbidden(await put('0', bits('MENTION_EVERYONE')));
      await done(put(bits('KICK_MEMBERS'), bits('SEND_MESSAGES')));
      const created = await manager.api.post(`/guilds/${guild.id}/channels`, {
        name: 'x',
        type: 0,
        permission_overwrites: [{ id: roles.low.id, type: 0, allow: bits('MENTION_EVERYONE'), deny: '0' }],
      });
      expectForbidden(created);
    });
  });
}
