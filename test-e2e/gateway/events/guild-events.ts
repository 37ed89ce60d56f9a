import { describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { withGlobalRetry } from '../../support/api.ts';
import { installBot, newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, join } from '../../support/guilds.ts';
import type { Channel, Guild, Member, Role } from '../../support/objects.ts';
import { createGuild, newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { WholeGuild } from '../support/objects.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { byType, openMarkChannel, receivedDuring, watch } from '../support/watch.ts';
import { MEMBERS, receivedBy, useWatchedGuild } from '../support/watched-guild.ts';

/** The rows of guilds, roles and members (docs/gateway.md#events). */
export function guildEvents(stack: TestStack, gateway: Gateway): void {
  const watchedGuild = useWatchedGuild(stack, gateway);

  describe('GUILD_CREATE', () => {
    it('reaches all sessions of the account that created it, and nobody else', async () => {
      const maker = await newcomer(withGlobalRetry(stack.api));
      const marks = await openMarkChannel(maker);
      const sessions = {
        one: await watch(gateway, maker, marks),
        two: await watch(gateway, maker, marks),
      };
      await receivedDuring(sessions, async () => undefined);
      let made: Guild | undefined;
      const others = await watchedGuild().during(async () => {
        made = await expectOk<Guild>(maker.api.post('/guilds', { name: 'New' }));
      });
      const channels = await expectOk<Channel[]>(maker.api.get(`/guilds/${made?.id}/channels`));
      const members = await expectOk<Member[]>(maker.api.get(`/guilds/${made?.id}/members`));
      const d = expect.objectContaining({ ...made, channels, members, joined_at: members[0]?.joined_at });
      const mark = await sessions.one.mark();
      for (const session of Object.values(sessions))
        expect(await session.eventsUpTo(mark)).toMatchObject([{ t: 'GUILD_CREATE', d }]);
      expect(others).toEqual(receivedBy([]));
    });

    it('reaches a new member with the visible channels, and GUILD_MEMBER_ADD the others', async () => {
      const { fixture, owner, during } = watchedGuild();
      const joining = await newcomer(withGlobalRetry(stack.api));
      const joiner = await watch(gateway, joining);
      await joiner.received();
      const code = await fixture.invite();
      const received = await during(() => expectOk(joining.api.post(`/invites/${code}`)));
      const member = await expectOk<Member>(
        owner.api.get(`/guilds/${fixture.guild.id}/members/${joining.user.id}`),
      );
      expect(received).toEqual(
        receivedBy(MEMBERS, { t: 'GUILD_MEMBER_ADD', d: { ...member, guild_id: fixture.guild.id } }),
      );
      const own = await joiner.received();
      expect(own.map(({ t }) => t)).toEqual(['GUILD_CREATE']);
      const guild = own[0]?.d as WholeGuild; // asserted below
      expect(guild).toMatchObject(await expectOk<Guild>(joining.api.get(`/guilds/${fixture.guild.id}`)));
      expect(guild.channels.map(({ name }) => name)).toEqual(['general']);
      expect(guild.members).toContainEqual(member);
      expect(guild.joined_at).toBe(member.joined_at);
    });

    it('reaches an installed bot', async () => {
      const { fixture, owner, during } = watchedGuild();
      const installed = await newBot(stack.api);
      const session = await watch(gateway, installed);
      await session.received();
      const received = await during(() => installBot(owner, fixture.guild, installed, bits('SEND_MESSAGES')));
      const path = `/guilds/${fixture.guild.id}/members/${installed.id}`;
      const member = await expectOk<Member>(owner.api.get(path));
      for (const name of MEMBERS) {
        const added = received[name].filter(({ t }) => t === 'GUILD_MEMBER_ADD');
        expect(added, name).toMatchObject([{ d: { user: { id: installed.id, bot: true } } }]);
        const last = received[name].findLast(({ t }) => /^GUILD_MEMBER_(ADD|UPDATE)$/.test(t));
        expect(last?.d, name).toEqual({ ...member, guild_id: fixture.guild.id });
        expect(received[name].map(({ t }) => t)).toContain('GUILD_ROLE_CREATE');
      }
      expect(received.stranger).toEqual([]);
      const own = (await session.received()).filter(({ t }) => t !== 'GUILD_ROLE_CREATE');
      expect(own.map(({ t }) => t)).toEqual(['GUILD_CREATE']);
      const guild = own[0]?.d as WholeGuild; // asserted below
      expect(guild.id).toBe(fixture.guild.id);
      expect(guild.members).toContainEqual(member);
      expect(guild.roles.map(({ id }) => id)).toContain(member.roles[0]);
    });
  });

  it('GUILD_UPDATE reaches the guild’s sessions', async () => {
    const { fixture, owner, during } = watchedGuild();
    const path = `/guilds/${fixture.guild.id}`;
    let guild: Guild | undefined;
    const received = await during(async () => {
      guild = await expectOk<Guild>(owner.api.send('PATCH', path, { body: { name: 'Studio' } }));
    });
    for (const name of MEMBERS) {
      expect(received[name].map(({ t }) => t)).toEqual(['GUILD_UPDATE']);
      expect(received[name][0]?.d).toMatchObject({ ...guild, name: 'Studio' });
    }
    expect(received.stranger).toEqual([]);
  });

  it('GUILD_DELETE reaches the guild’s sessions once', async () => {
    const { owner, member, watched } = watchedGuild();
    const doomed = await createGuild(owner);
    await expectOk(member.api.post(`/invites/${await doomed.invite()}`));
    await createChannel(doomed, { name: 'other' });
    const { id } = doomed.guild;
    const received = await receivedDuring(watched, () =>
      expectNoContent(owner.api.send('DELETE', `/guilds/${id}`)),
    );
    expect(received).toEqual(receivedBy(['owner', 'member'], { t: 'GUILD_DELETE', d: { id } }));
  });

  it('role events reach the guild’s sessions', async () => {
    const { fixture, owner, during } = watchedGuild();
    const guild_id = fixture.guild.id;
    let role: Role | undefined;
    const made = await during(async () => {
      role = await createRole(fixture, { name: 'helper', permissions: '0', hoist: true });
    });
    for (const name of MEMBERS) {
      // Roles above it move up.
      const more = made[name].filter(({ t }) => t !== 'GUILD_ROLE_UPDATE');
      expect(more, name).toEqual([{ t: 'GUILD_ROLE_CREATE', d: { guild_id, role } }]);
    }
    expect(made.stranger).toEqual([]);
    const path = `/guilds/${guild_id}/roles/${role?.id}`;
    const changed = await during(async () => {
      role = await expectOk<Role>(owner.api.send('PATCH', path, { body: { name: 'helpers', color: 7 } }));
    });
    expect(changed).toEqual(receivedBy(MEMBERS, { t: 'GUILD_ROLE_UPDATE', d: { guild_id, role } }));
    const deleted = await during(() => expectNoContent(owner.api.send('DELETE', path)));
    expect(deleted).toEqual(
      receivedBy(MEMBERS, { t: 'GUILD_ROLE_DELETE', d: { guild_id, role_id: role?.id } }),
    );
  });

  it('reordered roles are updated one by one', async () => {
    const { fixture, owner, during } = watchedGuild();
    const guild_id = fixture.guild.id;
    const path = `/guilds/${guild_id}/roles`;
    const made = [await createRole(fixture, { name: 'one' }), await createRole(fixture, { name: 'two' })];
    const before = await expectOk<Role[]>(owner.api.get(path));
    const positions = made.map(({ id }, index) => ({ id, position: 1 + index }));
    const received = await during(() =>
      expectNoContent(owner.api.send('PATCH', path, { body: { positions } })),
    );
    const after = await expectOk<Role[]>(owner.api.get(path));
    const moved = after.filter(({ id, position }) =>
      before.some((role) => role.id === id && role.position !== position),
    );
    expect(moved.length).toBeGreaterThan(0);
    const updates = moved.map((role) => ({ t: 'GUILD_ROLE_UPDATE', d: { guild_id, role } }));
    for (const name of MEMBERS) {
      expect(received[name], name).toEqual(expect.arrayContaining(updates));
      expect(received[name], name).toHaveLength(updates.length);
    }
    expect(received.stranger).toEqual([]);
    for (const { id } of made) await expectNoContent(owner.api.send('DELETE', `${path}/${id}`));
  });

  describe('a member', () => {
    it('that changes is sent as GUILD_MEMBER_UPDATE to the guild’s sessions', async () => {
      const { fixture, owner, member, during } = watchedGuild();
      const guild_id = fixture.guild.id;
      let now: Member | undefined;
      const renamed = await during(async () => {
        const body = { nick: 'Ben' };
        now = await expectOk<Member>(member.api.send('PATCH', `/guilds/${guild_id}/members/@me`, { body }));
      });
      const d = { ...now, guild_id };
      expect(renamed).toEqual(receivedBy(MEMBERS, { t: 'GUILD_MEMBER_UPDATE', d }));
      const role = await createRole(fixture, { name: 'nothing', permissions: '0' });
      const path = `/guilds/${guild_id}/members/${member.user.id}`;
      const given = await during(() => expectNoContent(owner.api.send('PUT', `${path}/roles/${role.id}`)));
      expect(given).toEqual(
        receivedBy(MEMBERS, {
          t: 'GUILD_MEMBER_UPDATE',
          d: { ...d, roles: [...(now?.roles ?? []), role.id] },
        }),
      );
      const again = await during(() => expectNoContent(owner.api.send('PUT', `${path}/roles/${role.id}`)));
      expect(again, 'nothing changed').toEqual(receivedBy([]));
      const taken = await during(() => expectNoContent(owner.api.send('DELETE', `${path}/roles/${role.id}`)));
      expect(taken).toEqual(receivedBy(MEMBERS, { t: 'GUILD_MEMBER_UPDATE', d }));
    });

    it('with a deleted role gets no GUILD_MEMBER_UPDATE', async () => {
      const { fixture, owner, member, bot, during } = watchedGuild();
      const guild_id = fixture.guild.id;
      const role = await createRole(fixture, { name: 'doomed', permissions: '0' });
      for (const id of [member.user.id, bot.id])
        await expectNoContent(owner.api.send('PUT', `/guilds/${guild_id}/members/${id}/roles/${role.id}`));
      const path = `/guilds/${guild_id}/roles/${role.id}`;
      const received = await during(() => expectNoContent(owner.api.send('DELETE', path)));
      expect(received).toEqual(
        receivedBy(MEMBERS, { t: 'GUILD_ROLE_DELETE', d: { guild_id, role_id: role.id } }),
      );
    });

    it.each(['leaves', 'is removed'])(
      'who %s gets GUILD_DELETE, and the others get GUILD_MEMBER_REMOVE',
      async (how) => {
        const { fixture, owner, during } = watchedGuild();
        const leaving = await join(stack.api, fixture);
        const session = await watch(gateway, leaving);
        await session.received();
        const { id } = fixture.guild;
        const received = await during(() =>
          how === 'leaves'
            ? expectNoContent(leaving.api.send('DELETE', `/users/@me/guilds/${id}`))
            : expectNoContent(owner.api.send('DELETE', `/guilds/${id}/members/${leaving.user.id}`)),
        );
        const { id: user_id, username } = leaving.user;
        const user = {
          id: user_id,
          username,
          discriminator: '0',
          global_name: null,
          avatar: null,
          bot: false,
        };
        expect(received).toEqual(
          receivedBy(MEMBERS, { t: 'GUILD_MEMBER_REMOVE', d: { guild_id: id, user } }),
        );
        expect(byType(await session.received())).toMatchObject([{ t: 'GUILD_DELETE', d: { id } }]);
        const after = await during(() =>
          expectOk(owner.api.post(`/channels/${fixture.channel.id}/messages`, { content: 'bye' })),
        );
        expect(after.member).toHaveLength(1);
        expect(await session.received(), 'nothing more of the guild').toEqual([]);
      },
    );
  });
}
