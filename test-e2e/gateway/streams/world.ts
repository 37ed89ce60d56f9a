import { bits } from '../../chat/permission-bits.ts';
import { type Api, withGlobalRetry } from '../../support/api.ts';
import { type Bot, installBot, newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, newGuild } from '../../support/guilds.ts';
import type { Webhook } from '../../support/objects.ts';
import { type GuildFixture, newcomer, type Person } from '../../support/people.ts';
import { hiddenExceptFor } from '../support/watched-guild.ts';
import type { Random } from './random.ts';

/** The accounts, guilds and channels of a run. */
export interface World {
  readonly people: readonly Person[];
  readonly bots: readonly Bot[];
  readonly guilds: readonly WorldGuild[];
  readonly groups: readonly WorldGroup[];
  /** DMs and group DMs. */
  readonly private_channels: readonly WorldChannel[];
}

export interface WorldGuild {
  readonly id: string;
  readonly owner: Person;
  /** Members, without the owner. */
  readonly people: readonly Person[];
  readonly bots: readonly Bot[];
  readonly invite: string;
  /** A channel that is always visible to all members. */
  readonly marks_id: string;
  readonly webhook_path: string;
  /** Channels that change and may be deleted. */
  readonly channel_ids: string[];
  readonly role_ids: string[];
}

export interface WorldChannel {
  readonly id: string;
  /** A recipient who never leaves. */
  readonly opener: Person;
}

export interface WorldGroup extends WorldChannel {
  /** Recipients who are added and removed. */
  readonly others: readonly Person[];
}

const PEOPLE = 11;
const BOTS = 2;
const GUILDS = 8;
const GROUPS = 2;
const VIEW = bits('VIEW_CHANNEL');

export function idOf(account: Person | Bot): string {
  return 'user' in account ? account.user.id : account.id;
}

export async function createWorld(api: Api, random: Random): Promise<World> {
  const [people, bots] = await Promise.all([
    Promise.all(Array.from({ length: PEOPLE }, () => newcomer(withGlobalRetry(api)))),
    Promise.all(Array.from({ length: BOTS }, () => newBot(api))),
  ]);
  const guilds = await Promise.all(
    Array.from({ length: GUILDS }, (_, n) => openGuild(api, { people, bots }, random.fork(n))),
  );
  const dms = await Promise.all(
    [1, 2].map((n) => openPrivate([...people.slice(0, 1), ...people.slice(n, n + 1)])),
  );
  const groups = await Promise.all(
    Array.from({ length: GROUPS }, (_, n) => openPrivate(people.slice(2 * n, 2 * n + 6))),
  );
  return { people, bots, guilds, groups, private_channels: [...dms, ...groups] };
}

async function openGuild(
  api: Api,
  { people, bots }: Pick<World, 'people' | 'bots'>,
  random: Random,
): Promise<WorldGuild> {
  const fixture = await newGuild(api);
  const { owner, guild } = fixture;
  const joining = people.filter(() => random.chance(0.6));
  const installed = bots.filter(() => random.chance(0.6));
  const invite = await fixture.invite();
  const webhook_path = await webhookIn(fixture);
  await Promise.all([
    ...joining.map((person) => expectOk(person.api.post(`/invites/${invite}`))),
    ...installed.map((bot) => installBot(owner, guild, bot)),
  ]);
  const roles = [
    await createRole(fixture, { name: 'insiders', permissions: '0' }),
    await createRole(fixture, { name: 'viewers', permissions: VIEW }),
    await createRole(fixture, { name: 'managers', permissions: bits('VIEW_CHANNEL', 'MANAGE_CHANNELS') }),
  ] as const;
  for (const account of [...joining, ...installed])
    if (random.chance(0.5))
      await expectNoContent(
        owner.api.send('PUT', `/guilds/${guild.id}/members/${idOf(account)}/roles/${random.pick(roles).id}`),
      );
  const everybody = [{ id: guild.id, type: 0, allow: VIEW, deny: '0' }];
  const marks = await createChannel(fixture, { name: 'marks', permission_overwrites: everybody });
  const channels = [
    await createChannel(fixture, { name: 'secret', permission_overwrites: hiddenExceptFor(guild, roles[0]) }),
    await createChannel(fixture, { name: 'closed', permission_overwrites: hiddenExceptFor(guild, roles[2]) }),
    await createChannel(fixture, { name: 'open' }),
  ];
  return {
    id: guild.id,
    owner,
    people: joining,
    bots: installed,
    invite,
    webhook_path,
    marks_id: marks.id,
    channel_ids: channels.map(({ id }) => id),
    role_ids: roles.map(({ id }) => id),
  };
}

/** In the guild's first channel, which is never deleted. */
async function webhookIn({ owner, channel }: GuildFixture): Promise<string> {
  const { id, token } = await expectOk<Webhook>(
    owner.api.post(`/channels/${channel.id}/webhooks`, { name: 'Build' }),
  );
  return `/webhooks/${id}/${token}`;
}

/** Two people get a DM, more a group DM. */
async function openPrivate([opener, ...others]: readonly Person[]): Promise<WorldGroup> {
  if (opener === undefined) throw new Error('a private channel needs an opener');
  const recipients = others.map(({ user }) => user.id);
  const { id } = await expectOk<{ id: string }>(opener.api.post('/users/@me/channels', { recipients }));
  return { id, opener, others };
}
