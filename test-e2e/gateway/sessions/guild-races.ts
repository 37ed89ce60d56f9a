import { describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { withGlobalRetry } from '../../support/api.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, join, newGuild, patchChannel, say } from '../../support/guilds.ts';
import type { Channel, Member, Message, Overwrite } from '../../support/objects.ts';
import { createGuild, createWebhook, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { Dispatch, WholeGuild } from '../support/objects.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { type ReceivedEvent, watch } from '../support/watch.ts';
import { hiddenExceptFor, sharedMarkChannel } from '../support/watched-guild.ts';

const VIEW = bits('VIEW_CHANNEL');

/** Concurrent changes of a guild, and what its members see of them. */
export function guildRaces(stack: TestStack, gateway: Gateway): void {
  it('permissions apply in event order while roles, overwrites and messages change concurrently', async () => {
    const fixture = await newGuild(stack.api);
    const { owner, guild } = fixture;
    const members = [
      await join(stack.api, fixture),
      await join(stack.api, fixture),
      await join(stack.api, fixture),
    ];
    const insiders = await createRole(fixture, { name: 'insiders', permissions: '0' });
    const permission_overwrites = hiddenExceptFor(guild, insiders);
    const secret = await createChannel(fixture, { name: 'secret', permission_overwrites });
    const hooks = [
      await createWebhook({ ...fixture, channel: secret }, stack.api),
      await createWebhook({ ...fixture, channel: secret }, stack.api),
    ];
    const marks = await sharedMarkChannel(owner, ...members);
    const witness = await watch(gateway, owner, marks);
    const watched = await Promise.all(members.map((member) => watch(gateway, member, marks)));
    await witness.received();
    for (const each of watched) await each.received();

    const toggleRoles = async () => {
      for (let n = 0; n < 30; n += 1) {
        const member = members[n % members.length];
        const method = Math.floor(n / members.length) % 2 === 0 ? 'PUT' : 'DELETE';
        const path = `/guilds/${guild.id}/members/${member?.user.id}/roles/${insiders.id}`;
        await expectNoContent(owner.api.send(method, path));
      }
    };
    const toggleOverwrite = async () => {
      const path = `/channels/${secret.id}/permissions/${guild.id}`;
      for (let n = 0; n < 10; n += 1) {
        const body = { type: 0, allow: '0', deny: n % 2 === 0 ? '0' : VIEW };
        await expectNoContent(owner.api.send('PUT', path, { body }));
      }
    };
    const writers = hooks.map(async ({ say }, writer) => {
      for (let n = 0; n < 40; n += 1) await say({ content: `${writer}:${n}` });
    });
    await Promise.all([toggleRoles(), toggleOverwrite(), ...writers]);

    const mark = await witness.mark();
    const log = await witness.eventsUpTo(mark);
    expect(log.filter(({ t }) => t === 'MESSAGE_CREATE')).toHaveLength(80);
    for (const [index, member] of members.entries()) {
      const received = (await watched[index]?.eventsUpTo(mark)) ?? [];
      const expected = seenBy(member, secret, insiders.id, guild.id, log);
      expect(expected.filter((each) => each === 'CHANNEL_DELETE').length, 'the view changed').toBeGreaterThan(
        1,
      );
      expect(ofChannel(secret, received), `member ${index}`).toEqual(expected);
    }
  });

  describe('a guild', () => {
    it('that is loaded on a join is shown as of the join, even if its channel is hidden or deleted right after', async () => {
      const [owner, newest] = [
        await newcomer(withGlobalRetry(stack.api)),
        await newcomer(withGlobalRetry(stack.api)),
      ];
      const fixtures = [];
      for (let n = 0; n < 20; n += 1) fixtures.push(await createGuild(owner));
      const codes = await Promise.all(fixtures.map(({ invite }) => invite()));
      const watched = await watch(gateway, newest);
      await watched.received();
      // Concurrent, so that late guilds are loaded after their channel is gone.
      const expected = await Promise.all(
        fixtures.map(async (fixture, n) => {
          const { guild, channel } = fixture;
          await expectOk(newest.api.post(`/invites/${codes[n]}`));
          const message = await say(fixture, owner, 'hello');
          if (n % 2 === 0) await expectNoContent(owner.api.send('DELETE', `/channels/${channel.id}`));
          else
            await patchChannel(fixture, channel.id, {
              permission_overwrites: [{ id: guild.id, type: 0, allow: '0', deny: VIEW }],
            });
          return [`GUILD_CREATE ${guild.id} ${channel.id}`, message.id, `CHANNEL_DELETE ${channel.id}`];
        }),
      );
      const received = await watched.received();
      for (const [n, { guild, channel }] of fixtures.entries())
        expect(ofGuild(guild.id, channel.id, received)).toEqual(expected[n]);
    });

    it('that 20 accounts join at once reports each join to earlier members', async () => {
      const fixture = await newGuild(stack.api);
      const code = await fixture.invite();
      const people = await Promise.all(
        Array.from({ length: 20 }, () => newcomer(withGlobalRetry(stack.api))),
      );
      const witness = await watch(gateway, fixture.owner);
      await witness.received();
      const sessions = await Promise.all(people.map(({ token }) => gateway.identify(token)));
      await Promise.all(people.map(({ api }) => expectOk(api.post(`/invites/${code}`))));
      const mine = await witness.received();
      const added = mine.filter(({ t }) => t === 'GUILD_MEMBER_ADD').map(({ d }) => (d as Member).user.id);
      expect(added.toSorted()).toEqual(people.map(({ user }) => user.id).sort());
      for (const [index, session] of sessions.entries()) {
        const { id } = people[index]?.user ?? {};
        const guild = await session.event<{ members: Member[] }>('GUILD_CREATE');
        expect(guild.members.map(({ user }) => user.id)).toContain(id);
        // Each receives exactly the later joins.
        const after = added.slice(added.indexOf(id ?? '') + 1);
        await session.connection.until('all later joins', () =>
          joinedIn(session.fresh()).length >= after.length ? true : undefined,
        );
        expect(joinedIn(session.fresh())).toEqual(after);
      }
    });
  });
}

const joinedIn = (events: readonly Dispatch[]) =>
  events.filter(({ t }) => t === 'GUILD_MEMBER_ADD').map(({ d }) => (d as Member).user.id);

/** The channel's events that a member should receive, derived from the owner's events. */
function seenBy(
  { user }: Person,
  channel: Channel,
  role: string,
  everyone: string,
  log: readonly Dispatch[],
): string[] {
  const seen: string[] = [];
  let hasRole = false;
  let isHidden = true;
  let couldView = false;
  for (const { t, d } of log) {
    if (t === 'GUILD_MEMBER_UPDATE' && (d as Member).user.id === user.id)
      hasRole = (d as Member).roles.includes(role);
    if (t === 'CHANNEL_UPDATE' && (d as Channel).id === channel.id)
      isHidden = (d as Channel).permission_overwrites.some(
        (each: Overwrite) => each.id === everyone && each.deny !== '0',
      );
    const canView = hasRole || !isHidden;
    if (canView !== couldView) seen.push(canView ? 'CHANNEL_CREATE' : 'CHANNEL_DELETE');
    else if (t === 'CHANNEL_UPDATE' && canView) seen.push(t);
    if (t === 'MESSAGE_CREATE' && canView) seen.push((d as Message).id);
    couldView = canView;
  }
  return seen;
}

/** The events of a guild and its one channel, as text. */
function ofGuild(guild_id: string, channel_id: string, received: readonly ReceivedEvent[]): string[] {
  return received.flatMap(({ t, d }) => {
    const { id, channels = [] } = d as Partial<WholeGuild>;
    if (t === 'GUILD_CREATE')
      return id === guild_id ? [[t, id, ...channels.map(({ id }) => id)].join(' ')] : [];
    if (t === 'MESSAGE_CREATE') return (d as Message).channel_id === channel_id ? [(d as Message).id] : [];
    return id === guild_id || id === channel_id ? [`${t} ${id}`] : [];
  });
}

function ofChannel({ id }: Channel, received: readonly ReceivedEvent[]): string[] {
  return received.flatMap(({ t, d }) => {
    if (t === 'MESSAGE_CREATE') return (d as Message).channel_id === id ? [(d as Message).id] : [];
    return t.startsWith('CHANNEL_') && (d as Channel).id === id ? [t] : [];
  });
}
