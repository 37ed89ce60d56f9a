import { beforeEach, describe, expect, it } from 'vitest';
import { bits, DEFAULT } from '../../chat/permission-bits.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import {
  createChannel,
  createRole,
  giveRole,
  join,
  newGuild,
  patchChannel,
  say,
  setEveryone,
  takeRole,
} from '../../support/guilds.ts';
import type { Channel, Role } from '../../support/objects.ts';
import type { GuildFixture, Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { WholeGuild } from '../support/objects.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { type ReceivedEvent, type WatchedSession, watch } from '../support/watch.ts';
import { hiddenExceptFor, sharedMarkChannel } from '../support/watched-guild.ts';

const VIEW = bits('VIEW_CHANNEL');

/** A change that makes the secret channel visible to a member, and its reversal. */
interface Way {
  readonly name: string;
  open(stage: VisibilityFixture): Promise<unknown>;
  shut(stage: VisibilityFixture): Promise<unknown>;
}

interface VisibilityFixture {
  readonly fixture: GuildFixture;
  readonly secret: Channel;
  readonly insiders: Role;
  readonly member: Person;
  /** Sees the secret channel throughout. */
  readonly witness: WatchedSession;
  readonly watched: WatchedSession;
}

const overwrite = ({ fixture, secret }: VisibilityFixture, id: string, body: object) =>
  expectNoContent(fixture.owner.api.send('PUT', `/channels/${secret.id}/permissions/${id}`, { body }));
const noOverwrite = ({ fixture, secret }: VisibilityFixture, id: string) =>
  expectNoContent(fixture.owner.api.send('DELETE', `/channels/${secret.id}/permissions/${id}`));
const setRole = ({ fixture, insiders }: VisibilityFixture, permissions: string) =>
  expectOk(
    fixture.owner.api.send('PATCH', `/guilds/${fixture.guild.id}/roles/${insiders.id}`, {
      body: { permissions },
    }),
  );
const ALLOW = { allow: VIEW, deny: '0' };
const DENY = { allow: '0', deny: VIEW };

const WAYS: readonly Way[] = [
  {
    name: 'a role added and removed',
    open: ({ fixture, member, insiders }) => giveRole(fixture, member, insiders),
    shut: ({ fixture, member, insiders }) => takeRole(fixture, member, insiders),
  },
  {
    name: 'an overwrite for the member, set and removed',
    open: (stage) => overwrite(stage, stage.member.user.id, { type: 1, ...ALLOW }),
    shut: (stage) => noOverwrite(stage, stage.member.user.id),
  },
  {
    name: 'an overwrite for the member, changed',
    open: (stage) => overwrite(stage, stage.member.user.id, { type: 1, ...ALLOW }),
    shut: (stage) => overwrite(stage, stage.member.user.id, { type: 1, ...DENY }),
  },
  {
    name: '@everyone’s overwrite',
    open: (stage) => noOverwrite(stage, stage.fixture.guild.id),
    shut: (stage) => overwrite(stage, stage.fixture.guild.id, { type: 0, ...DENY }),
  },
  {
    name: 'all overwrites replaced at once',
    open: ({ fixture, secret }) =>
      patchChannel(fixture, secret.id, { permission_overwrites: [], topic: 'open' }),
    shut: ({ fixture, secret, insiders }) =>
      patchChannel(fixture, secret.id, { permission_overwrites: hiddenExceptFor(fixture.guild, insiders) }),
  },
];

/** Changes to a role of the member, which affect every channel. */
const ROLE_WAYS: readonly Way[] = [
  {
    name: 'a role that gains and loses ADMINISTRATOR',
    open: (stage) => setRole(stage, bits('ADMINISTRATOR')),
    shut: (stage) => setRole(stage, '0'),
  },
];

export function visibility(stack: TestStack, gateway: Gateway): void {
  let stage: VisibilityFixture;
  beforeEach(async () => {
    stage = await openStage();
  });

  async function openStage(): Promise<VisibilityFixture> {
    const fixture = await newGuild(stack.api);
    const member = await join(stack.api, fixture);
    const insiders = await createRole(fixture, { name: 'insiders', permissions: '0' });
    const permission_overwrites = hiddenExceptFor(fixture.guild, insiders);
    const secret = await createChannel(fixture, { name: 'secret', permission_overwrites });
    const marks = await sharedMarkChannel(fixture.owner, member);
    const witness = await watch(gateway, fixture.owner, marks);
    const watched = await watch(gateway, member, marks);
    await witness.received();
    await watched.received();
    return { fixture, member, insiders, secret, witness, watched };
  }

  const ofSecret = (received: readonly ReceivedEvent[]) =>
    received.flatMap(({ t, d }) => {
      const { id, channel_id } = d as { id?: string; channel_id?: string }; // both of a message, one of a channel
      if (channel_id === stage.secret.id) return [[t, (d as { content: string }).content]];
      return id === stage.secret.id ? [[t]] : [];
    });
  const post = (content: string) => say({ channel: stage.secret }, stage.fixture.owner, content);
  const channelNow = () => expectOk<Channel>(stage.fixture.owner.api.get(`/channels/${stage.secret.id}`));

  async function openAndShut(way: Way): Promise<void> {
    const { fixture, secret, watched, witness } = stage;
    await post('before');
    await way.open(stage);
    const opened = await channelNow();
    await post('while it is open');
    await way.shut(stage);
    await post('after');
    const received = await watched.received();
    expect(ofSecret(received)).toEqual([
      ['CHANNEL_CREATE'],
      ['MESSAGE_CREATE', 'while it is open'],
      ['CHANNEL_DELETE'],
    ]);
    const created = received.find(({ t }) => t === 'CHANNEL_CREATE')?.d;
    expect(created).toEqual({ ...opened, last_message_id: expect.anything() });
    const lost = { id: secret.id, guild_id: fixture.guild.id };
    expect(received.find(({ t }) => t === 'CHANNEL_DELETE')?.d).toEqual(lost);
    expect(received.filter(({ t }) => t === 'CHANNEL_UPDATE')).toEqual([]);
    const seen = ofSecret(await witness.received()).filter(([t]) => t !== 'CHANNEL_UPDATE');
    expect(seen, 'the witness').toEqual([
      ['MESSAGE_CREATE', 'before'],
      ['MESSAGE_CREATE', 'while it is open'],
      ['MESSAGE_CREATE', 'after'],
    ]);
  }

  describe('a session that gains and loses access to a channel', () => {
    it.each(WAYS.map((way) => [way.name, way] as const))('by %s', async (_, way) => {
      await openAndShut(way);
    });

    it.each(ROLE_WAYS.map((way) => [way.name, way] as const))('by %s', async (_, way) => {
      const { fixture, secret, member, insiders } = stage;
      await patchChannel(fixture, secret.id, {
        permission_overwrites: [{ id: fixture.guild.id, type: 0, ...DENY }],
      });
      await giveRole(fixture, member, insiders);
      await stage.watched.received();
      await stage.witness.received();
      await openAndShut(way);
    });

    it('by the permissions of @everyone, for every channel', async () => {
      const { fixture, watched } = stage;
      const { guild, channel, owner } = fixture;
      await setEveryone(fixture, '0');
      await say({ channel }, owner, 'unseen');
      const lost = await watched.received();
      expect(lost.map(({ t, d }) => [t, d])).toEqual([
        ['GUILD_ROLE_UPDATE', expect.anything()],
        ['CHANNEL_DELETE', { id: channel.id, guild_id: guild.id }],
      ]);
      await setEveryone(fixture, String(DEFAULT));
      await say({ channel }, owner, 'seen');
      const gained = await watched.received();
      expect(gained.map(({ t, d }) => [t, (d as { id?: string }).id])).toEqual([
        ['GUILD_ROLE_UPDATE', undefined],
        ['CHANNEL_CREATE', channel.id],
        ['MESSAGE_CREATE', expect.anything()],
      ]);
    });

    it('by the deletion of a role, in one event', async () => {
      const { fixture, member, insiders, secret, watched, witness } = stage;
      const { guild, owner } = fixture;
      await giveRole(fixture, member, insiders);
      await post('seen');
      await watched.received();
      await witness.received();
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}/roles/${insiders.id}`));
      await post('unseen');
      const received = (await watched.received()).map(({ t, d }) => ({ t, d }));
      expect(received).toEqual([
        { t: 'GUILD_ROLE_DELETE', d: { guild_id: guild.id, role_id: insiders.id } },
        { t: 'CHANNEL_DELETE', d: { id: secret.id, guild_id: guild.id } },
      ]);
      const seen = (await witness.received()).map(({ t }) => t);
      expect(seen, 'no CHANNEL_UPDATE for its overwrite').toEqual(['GUILD_ROLE_DELETE', 'MESSAGE_CREATE']);
    });

    it('by being removed and joining again', async () => {
      const { fixture, member, insiders, secret, watched } = stage;
      const { guild, owner, channel } = fixture;
      await giveRole(fixture, member, insiders);
      await watched.received();
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}/members/${member.user.id}`));
      await post('unseen');
      await say({ channel }, owner, 'unseen too');
      await expectOk(member.api.post(`/invites/${await fixture.invite()}`));
      await post('still unseen');
      await say({ channel }, owner, 'seen');
      const received = await watched.received();
      expect(received.map(({ t }) => t)).toEqual(['GUILD_DELETE', 'GUILD_CREATE', 'MESSAGE_CREATE']);
      const again = received[1]?.d as WholeGuild; // t is GUILD_CREATE
      expect(again.channels.map(({ id }) => id)).toEqual([channel.id]);
      expect(again.members.find(({ user }) => user.id === member.user.id)?.roles).toEqual([]);
      await giveRole(fixture, member, insiders);
      expect(ofSecret(await watched.received())).toEqual([['CHANNEL_CREATE']]);
      expect(secret.id).not.toBe(channel.id);
    });

    it('to several by one role gets one event each, and none for channels that stay visible', async () => {
      const { fixture, member, insiders, secret, watched } = stage;
      const { guild } = fixture;
      const permission_overwrites = hiddenExceptFor(guild, insiders);
      const second = await createChannel(fixture, { name: 'second', permission_overwrites });
      const open = await createChannel(fixture, { name: 'open' });
      await watched.received();
      await giveRole(fixture, member, insiders);
      const gained = (await watched.received()).filter(({ t }) => t === 'CHANNEL_CREATE');
      const idsOf = (received: readonly ReceivedEvent[]) => received.map(({ d }) => (d as Channel).id).sort();
      expect(idsOf(gained)).toEqual([secret.id, second.id].sort());
      await takeRole(fixture, member, insiders);
      const received = await watched.received();
      expect(idsOf(received.filter(({ t }) => t === 'CHANNEL_DELETE'))).toEqual(
        [secret.id, second.id].sort(),
      );
      expect(JSON.stringify(received)).not.toContain(open.id);
    });

    it('gets no event when another member gains access', async () => {
      const { fixture, member, insiders, watched } = stage;
      const other = await join(stack.api, fixture);
      await watched.received();
      await giveRole(fixture, other, insiders);
      await overwrite(stage, other.user.id, { type: 1, ...ALLOW });
      await post('not for them');
      await noOverwrite(stage, other.user.id);
      await takeRole(fixture, other, insiders);
      const received = await watched.received();
      expect(received.map(({ t }) => t)).toEqual(['GUILD_MEMBER_UPDATE', 'GUILD_MEMBER_UPDATE']);
      expect(member.user.id).not.toBe(other.user.id);
    });
  });

  it('edits and deletions in an invisible channel cause no event', async () => {
    const { fixture, member, insiders, secret, watched } = stage;
    const { owner } = fixture;
    await giveRole(fixture, member, insiders);
    const { id } = await post('seen');
    await takeRole(fixture, member, insiders);
    await watched.received();
    const path = `/channels/${secret.id}/messages/${id}`;
    await expectOk(owner.api.send('PATCH', path, { body: { content: 'changed in secret' } }));
    await expectNoContent(owner.api.send('DELETE', path));
    await patchChannel(fixture, secret.id, { topic: 'about you' });
    expect(await watched.received()).toEqual([]);
  });
}
