import { describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { withGlobalRetry } from '../../support/api.ts';
import { installBot, newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, giveRole, join, newGuild, say } from '../../support/guilds.ts';
import type { Channel, CurrentUser, Guild, Member, PrivateChannel } from '../../support/objects.ts';
import { createGuild, type GuildFixture, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { WholeGuild } from '../support/objects.ts';
import type { Gateway } from '../support/use-gateway.ts';
import type { GatewayCaller } from '../support/watch.ts';
import { hiddenExceptFor } from '../support/watched-guild.ts';

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** The contents of READY for accounts and for bots (docs/gateway.md#ready). */
export function ready(stack: TestStack, gateway: Gateway): void {
  /** A guild with a channel that only its owner and the insiders can view. */
  async function guildWithSecret(): Promise<GuildFixture & { secret: Channel; insiders: string }> {
    const fixture = await newGuild(stack.api);
    const insiders = await createRole(fixture, { name: 'insiders', permissions: '0' });
    const permission_overwrites = hiddenExceptFor(fixture.guild, insiders);
    const secret = await createChannel(fixture, { name: 'secret', permission_overwrites });
    return { ...fixture, secret, insiders: insiders.id };
  }

  /** Expects the guild as the HTTP API shows it to this caller, with the caller's visible channels and own member. */
  async function expectWhole(
    guild: WholeGuild,
    { api }: Pick<GatewayCaller, 'api'>,
    user_id: string,
  ): Promise<void> {
    const read = await expectOk<Guild>(api.get(`/guilds/${guild.id}`));
    expect(guild).toMatchObject({ ...read, roles: expect.any(Array) });
    expect(guild.roles.toSorted(byId)).toEqual(read.roles.toSorted(byId));
    const channels = await expectOk<Channel[]>(api.get(`/guilds/${guild.id}/channels`));
    expect(guild.channels.toSorted(byId)).toEqual(channels.toSorted(byId));
    const member = await expectOk<Member>(api.get(`/guilds/${guild.id}/members/${user_id}`));
    expect(guild.members).toContainEqual(member);
    expect(guild.joined_at).toBe(member.joined_at);
  }

  const guildsOf = ({ guilds }: { guilds: readonly WholeGuild[] }) => guilds.map(({ id }) => id).sort();

  describe('READY of an account', () => {
    it('without guilds and private channels has empty lists', async () => {
      const person = await newcomer(withGlobalRetry(stack.api));
      const { ready, connection } = await gateway.identify(person.token);
      expect(ready).toEqual({
        v: 1,
        user: await expectOk<CurrentUser>(person.api.get('/users/@me')),
        session_id: expect.stringMatching(/^\S+$/),
        resume_gateway_url: expect.stringMatching(/^wss?:\/\/[^?]+$/),
        guilds: [],
        private_channels: [],
      });
      expect(connection.dispatches).toHaveLength(1);
    });

    it('has its guilds in full, with only the visible channels', async () => {
      const fixture = await guildWithSecret();
      const { owner, guild, secret, insiders } = fixture;
      const member = await join(stack.api, fixture);
      const insider = await join(stack.api, fixture);
      await giveRole(fixture, insider, { id: insiders });
      await say({ channel: secret }, owner, 'the last message');
      const own = await createGuild(member);
      await newGuild(stack.api);

      const of = async (person: Person) => (await gateway.identify(person.token)).ready;
      const [first, second, third] = [await of(owner), await of(member), await of(insider)];
      expect([first, second, third].map(guildsOf)).toEqual([
        [guild.id],
        [guild.id, own.guild.id].sort(),
        [guild.id],
      ]);
      for (const [{ guilds }, person] of [
        [first, owner],
        [second, member],
        [third, insider],
      ] as const)
        for (const each of guilds) await expectWhole(each, person, person.user.id);
      const seen = (ready: typeof first) =>
        ready.guilds
          .find(({ id }) => id === guild.id)
          ?.channels.map(({ name }) => name)
          .sort();
      expect([seen(first), seen(second), seen(third)]).toEqual([
        ['general', 'secret'],
        ['general'],
        ['general', 'secret'],
      ]);
    });

    it('has a channel’s newest remaining message, also after deletions during the connection', async () => {
      const owner = await newcomer(withGlobalRetry(stack.api));
      const fixture = await createGuild(owner);
      const before = await gateway.identify(owner.token);
      const [first, second] = [await say(fixture, owner, 'one'), await say(fixture, owner, 'two')];
      for (const { deleted, left } of [
        { deleted: second.id, left: first.id },
        { deleted: first.id, left: null },
      ]) {
        await expectNoContent(
          owner.api.send('DELETE', `/channels/${fixture.channel.id}/messages/${deleted}`),
        );
        await before.event<{ id: string }>('MESSAGE_DELETE', ({ id }) => id === deleted);
        const { ready } = await gateway.identify(owner.token);
        const guild = ready.guilds.find(({ id }) => id === fixture.guild.id);
        if (guild === undefined) throw new Error('READY lacks the guild');
        await expectWhole(guild, owner, owner.user.id);
        const channel = guild.channels.find(({ id }) => id === fixture.channel.id);
        expect(channel?.last_message_id).toBe(left);
      }
    });

    it('has the account’s open private channels', async () => {
      const [ada, ben, cleo] = [
        await newcomer(withGlobalRetry(stack.api)),
        await newcomer(withGlobalRetry(stack.api)),
        await newcomer(withGlobalRetry(stack.api)),
      ];
      const open = (by: Person, ...others: Person[]) =>
        expectOk<PrivateChannel>(
          by.api.post('/users/@me/channels', { recipients: others.map(({ user }) => user.id) }),
        );
      const dm = await open(ada, ben);
      const group = await open(ben, ada, cleo);
      await say({ channel: dm }, ada, 'hello');
      await open(ben, cleo);
      for (const [person, ids] of [
        [ada, [dm.id, group.id]],
        [ben, undefined],
        [cleo, undefined],
      ] as const) {
        const { ready } = await gateway.identify(person.token);
        const listed = await expectOk<PrivateChannel[]>(person.api.get('/users/@me/channels'));
        expect(ready.private_channels.toSorted(byId)).toEqual(listed.toSorted(byId));
        if (ids !== undefined) expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
      }
    });

    it('repeats a valid shard', async () => {
      const person = await newcomer(stack.api);
      const { ready } = await gateway.identify(person.token, { shard: [0, 1] });
      expect(ready.shard).toEqual([0, 1]);
    });

    it.each([
      { shard: 'x', intents: {}, properties: null, compress: 7 },
      { shard: [1], intents: '513', properties: [], presence: 'online' },
      { shard: [5, 2], intents: null, properties: 7, compress: null, presence: [] },
      { shard: [0, 0], large_threshold: 'many' },
      { shard: null },
    ])('ignores unknown and invalid members of Identify: %j', async (more) => {
      const person = await newcomer(stack.api);
      const { ready } = await gateway.identify(person.token, more);
      expect(ready).not.toHaveProperty('shard');
    });

    it('has a resume URL', async () => {
      const person = await newcomer(stack.api);
      const { ready } = await gateway.identify(person.token);
      const { url } = await expectOk<{ url: string }>(stack.api.get('/gateway'));
      expect(new URL(ready.resume_gateway_url).protocol).toBe(new URL(url).protocol);
    });

    it('is current: earlier changes are in it, later ones arrive as events', async () => {
      const owner = await newcomer(withGlobalRetry(stack.api));
      for (let n = 0; n < 5; n += 1) {
        const making = owner.api.post('/guilds', { name: `Guild ${n}` });
        const session = await gateway.identify(owner.token);
        const made = await expectOk<Guild>(making);
        const inReady = session.ready.guilds.filter(({ id }) => id === made.id);
        if (inReady.length === 0) await session.event<Guild>('GUILD_CREATE', ({ id }) => id === made.id);
        await expectOk(owner.api.send('PATCH', `/guilds/${made.id}`, { body: { name: 'Renamed' } }));
        await session.event<Guild>('GUILD_UPDATE', ({ id, name }) => id === made.id && name === 'Renamed');
        const received = session.fresh().filter(({ t }) => t === 'GUILD_CREATE');
        expect(received.length + inReady.length, 'exactly once').toBe(1);
      }
    });
  });

  describe('READY of a bot', () => {
    it('has its guilds as unavailable, and each follows in full as GUILD_CREATE', async () => {
      const bot = await newBot(stack.api);
      const one = await guildWithSecret();
      const two = await guildWithSecret();
      await installBot(one.owner, one.guild, bot);
      await installBot(two.owner, two.guild, bot, bits('ADMINISTRATOR'));
      const session = await gateway.identify(`Bot ${bot.token}`);
      const ids = [one.guild.id, two.guild.id];
      expect(session.ready).toEqual({
        v: 1,
        application: { id: session.ready.user.id, flags: 0 },
        user: await expectOk<CurrentUser>(bot.api.get('/users/@me')),
        session_id: expect.stringMatching(/^\S+$/),
        resume_gateway_url: expect.stringMatching(/^wss?:\/\/[^?]+$/),
        guilds: expect.arrayContaining(ids.map((id) => ({ id, unavailable: true }))),
        private_channels: [],
      });
      expect(session.ready.guilds).toHaveLength(2);
      for (const id of ids) {
        const guild = await session.event<WholeGuild>('GUILD_CREATE', (each) => each.id === id);
        expect(guild.unavailable ?? false).toBe(false);
        await expectWhole(guild, bot, bot.id);
        const seen = guild.channels.map(({ name }) => name).sort();
        expect(seen).toEqual(id === one.guild.id ? ['general'] : ['general', 'secret']);
      }
    });

    it('has empty lists for a bot without guilds', async () => {
      const bot = await newBot(stack.api);
      const { ready } = await gateway.identify(bot.token);
      expect([ready.guilds, ready.private_channels]).toEqual([[], []]);
      expect(ready.user).toMatchObject({ id: bot.id, bot: true });
    });
  });
}
