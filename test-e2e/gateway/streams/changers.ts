import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@gatehouse/dev-env/until';
import { bits, DEFAULT } from '../../chat/permission-bits.ts';
import type { Reply } from '../../support/api.ts';
import type { Channel, Invite, Role } from '../../support/objects.ts';
import type { Person } from '../../support/people.ts';
import type { Random } from './random.ts';
import { idOf, type World, type WorldGuild } from './world.ts';

export interface ChangerOptions {
  readonly world: World;
  readonly random: Random;
  readonly pause_ms: number;
  readonly isOver: () => boolean;
  /** Called with each response's status. 404 is normal: another change may have deleted the object. */
  readonly answered: (what: string, status: number) => void;
}

type Change = (guild: WorldGuild, random: Random) => Promise<Reply | undefined>;

const VIEW = bits('VIEW_CHANNEL');
const PERMISSIONS = [
  '0',
  VIEW,
  bits('VIEW_CHANNEL', 'MANAGE_CHANNELS'),
  String(DEFAULT),
  bits('ADMINISTRATOR'),
];
const REJOINED_WITHIN_MS = 60_000;
const MOST_CHANNELS = 7;
const MOST_ROLES = 6;

/** Changes random things in guilds over HTTP, as their owners, until `isOver`. */
export async function change({ world, random, pause_ms, isOver, answered }: ChangerOptions): Promise<void> {
  const weighted = Object.entries(CHANGES).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));
  while (!isOver()) {
    await pause(random.below(2 * pause_ms + 1));
    const name = random.pick(weighted);
    const reply = await CHANGES[name]?.[1](random.pick(world.guilds), random, world);
    if (reply !== undefined) answered(name, reply.status);
  }
}

/** Each change with its weight. */
const CHANGES: Readonly<
  Record<string, readonly [number, (...args: [...Parameters<Change>, World]) => ReturnType<Change>]>
> = {
  giveRole: [6, (guild, random) => memberRole('PUT', guild, random)],
  takeRole: [6, (guild, random) => memberRole('DELETE', guild, random)],
  setRoles: [
    2,
    (guild, random) => {
      const roles = guild.role_ids.filter(() => random.chance(0.5));
      return send(guild, 'PATCH', `/guilds/${guild.id}/members/${anyMember(guild, random)}`, { roles });
    },
  ],
  setNick: [
    2,
    (guild, random) => {
      const nick = `nick ${random.below(1000)}`;
      return send(guild, 'PATCH', `/guilds/${guild.id}/members/${anyMember(guild, random)}`, { nick });
    },
  ],
  changeRole: [
    4,
    (guild, random) => {
      // Rarely an administrator.
      const permissions = random.pick(random.chance(0.9) ? PERMISSIONS.slice(0, -1) : PERMISSIONS);
      return send(guild, 'PATCH', `/guilds/${guild.id}/roles/${random.pick(guild.role_ids)}`, {
        permissions,
      });
    },
  ],
  changeEveryone: [
    2,
    (guild, random) =>
      send(guild, 'PATCH', `/guilds/${guild.id}/roles/${guild.id}`, {
        permissions: random.chance(0.3) ? '0' : String(DEFAULT),
      }),
  ],
  createRole: [1, createRole],
  deleteRole: [1, deleteRole],
  putOverwrite: [
    6,
    (guild, random) => {
      const { id, type } = anyHolder(guild, random);
      const [allow, deny] = random.chance(0.5) ? [VIEW, '0'] : ['0', VIEW];
      const path = `/channels/${random.pick(guild.channel_ids)}/permissions/${id}`;
      return send(guild, 'PUT', path, { type, allow, deny });
    },
  ],
  deleteOverwrite: [
    3,
    (guild, random) => {
      const path = `/channels/${random.pick(guild.channel_ids)}/permissions/${anyHolder(guild, random).id}`;
      return send(guild, 'DELETE', path);
    },
  ],
  setOverwrites: [
    2,
    (guild, random) => {
      const holders = [0, 1, 2].map(() => anyHolder(guild, random));
      const permission_overwrites = [...new Map(holders.map((one) => [one.id, one])).values()].map((one) =>
        random.chance(0.5) ? { ...one, allow: VIEW, deny: '0' } : { ...one, allow: '0', deny: VIEW },
      );
      return send(guild, 'PATCH', `/channels/${random.pick(guild.channel_ids)}`, { permission_overwrites });
    },
  ],
  renameChannel: [
    1,
    (guild, random) =>
      send(guild, 'PATCH', `/channels/${random.pick(guild.channel_ids)}`, {
        name: `c-${random.below(1000)}`,
      }),
  ],
  createChannel: [1, createChannel],
  deleteChannel: [1, deleteChannel],
  renameGuild: [
    1,
    (guild, random) => send(guild, 'PATCH', `/guilds/${guild.id}`, { name: `guild ${random.below(1000)}` }),
  ],
  removeAndJoin: [3, removeAndJoin],
  invite: [1, invite],
  say: [4, (guild, random) => say(guild, random.pick(guild.channel_ids))],
  executeWebhook: [
    2,
    (guild) => guild.owner.api.post(guild.webhook_path, { content: 'from a webhook', username: 'Build' }),
  ],
  renameWebhook: [
    1,
    (guild, random) => {
      const [, , id = ''] = guild.webhook_path.split('/');
      return send(guild, 'PATCH', `/webhooks/${id}`, { name: `hook ${random.below(1000)}` });
    },
  ],
  addToGroup: [3, (_, random, world) => recipient('PUT', random, world)],
  takeFromGroup: [2, (_, random, world) => recipient('DELETE', random, world)],
};

function say(guild: WorldGuild, channel_id: string): Promise<Reply> {
  return send(guild, 'POST', `/channels/${channel_id}/messages`, { content: 'over HTTP' });
}

function send({ owner }: WorldGuild, method: string, path: string, body?: object): Promise<Reply> {
  return owner.api.send(method, path, body === undefined ? {} : { body });
}

function anyMember({ people, bots }: WorldGuild, random: Random): string {
  return idOf(random.pick([...people, ...bots]));
}

/** A random overwrite target: a role, @everyone or a member. */
function anyHolder(guild: WorldGuild, random: Random): { readonly id: string; readonly type: number } {
  if (random.chance(0.4)) return { id: anyMember(guild, random), type: 1 };
  return { id: random.pick([...guild.role_ids, guild.id]), type: 0 };
}

function memberRole(method: 'PUT' | 'DELETE', guild: WorldGuild, random: Random): Promise<Reply> {
  const role = random.pick(guild.role_ids);
  return send(guild, method, `/guilds/${guild.id}/members/${anyMember(guild, random)}/roles/${role}`);
}

async function createRole(guild: WorldGuild, random: Random): Promise<Reply | undefined> {
  if (guild.role_ids.length >= MOST_ROLES) return undefined;
  const permissions = random.pick(PERMISSIONS.slice(0, -1));
  const reply = await send(guild, 'POST', `/guilds/${guild.id}/roles`, { name: 'role', permissions });
  if (reply.status === 200) guild.role_ids.push(reply.json<Role>().id);
  return reply;
}

async function deleteRole(guild: WorldGuild): Promise<Reply | undefined> {
  const id = guild.role_ids.length > 3 ? guild.role_ids.shift() : undefined;
  return id === undefined ? undefined : send(guild, 'DELETE', `/guilds/${guild.id}/roles/${id}`);
}

async function createChannel(guild: WorldGuild, random: Random): Promise<Reply | undefined> {
  if (guild.channel_ids.length >= MOST_CHANNELS) return undefined;
  const holder = anyHolder(guild, random);
  const permission_overwrites = [
    { id: guild.id, type: 0, allow: '0', deny: VIEW },
    ...(holder.id === guild.id ? [] : [{ ...holder, allow: VIEW, deny: '0' }]),
  ];
  const body = { name: 'new', type: 0, permission_overwrites };
  const reply = await send(guild, 'POST', `/guilds/${guild.id}/channels`, body);
  if (reply.status === 200) guild.channel_ids.push(reply.json<Channel>().id);
  return reply;
}

async function deleteChannel(guild: WorldGuild): Promise<Reply | undefined> {
  const id = guild.channel_ids.length > 3 ? guild.channel_ids.shift() : undefined;
  return id === undefined ? undefined : send(guild, 'DELETE', `/channels/${id}`);
}

/** Removes a member, who joins again after a pause. */
async function removeAndJoin(guild: WorldGuild, random: Random): Promise<Reply | undefined> {
  if (guild.people.length === 0) return undefined;
  const person = random.pick(guild.people);
  const reply = await send(guild, 'DELETE', `/guilds/${guild.id}/members/${person.user.id}`);
  await pause(random.below(500));
  await join(person, guild.invite);
  return reply;
}

function join(person: Person, code: string): Promise<true> {
  return until('the invite is accepted', REJOINED_WITHIN_MS, async () => {
    const { status } = await person.api.post(`/invites/${code}`);
    return status === 200 || undefined;
  });
}

async function invite(guild: WorldGuild, random: Random): Promise<Reply> {
  const reply = await send(guild, 'POST', `/channels/${random.pick(guild.channel_ids)}/invites`, {
    max_uses: random.between(1, 50),
  });
  if (reply.status !== 200) return reply;
  return send(guild, 'DELETE', `/invites/${reply.json<Invite>().code}`);
}

function recipient(method: 'PUT' | 'DELETE', random: Random, { groups }: World): Promise<Reply> {
  const { id, opener, others } = random.pick(groups);
  return opener.api.send(method, `/channels/${id}/recipients/${random.pick(others).user.id}`);
}
