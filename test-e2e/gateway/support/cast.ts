import { beforeAll } from 'vitest';
import {
  createChannel,
  createRole,
  type GuildFixture,
  giveRole,
  join,
  newGuild,
  ok,
} from '../../chat/guild-fixture.ts';
import { bits } from '../../chat/permission-bits.ts';
import { unhurried } from '../../support/api.ts';
import type { Channel, Invite, Role } from '../../support/objects.ts';
import { newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { type Bot, installBot, newActorBot } from './bot.ts';
import type { Gateway } from './use-gateway.ts';
import { type Marks, openMarks, type ReceivedEvent, toldDuring, type Watched, watch } from './watch.ts';

const VIEW = bits('VIEW_CHANNEL');

/** A guild with a hidden channel, and people with watched Gateway sessions. */
export interface Cast {
  readonly fixture: GuildFixture;
  /** Visible only to the insiders' role and the owner. */
  readonly secret: Channel;
  readonly insiders: Role;
  readonly owner: Person;
  /** Has MANAGE_CHANNELS. */
  readonly manager: Person;
  readonly insider: Person;
  readonly member: Person;
  /** Is in another guild. */
  readonly stranger: Person;
  /** A member without roles. */
  readonly bot: Bot;
  readonly watched: Readonly<Record<Name, Watched>>;
  /** Returns every event of each session while `act` runs, in order. */
  during(act: () => Promise<unknown>): Promise<Record<Name, ReceivedEvent[]>>;
}

export type Name = 'owner' | 'manager' | 'insider' | 'member' | 'stranger' | 'bot';

/** The members of the guild. */
export const INSIDE = ['owner', 'manager', 'insider', 'member', 'bot'] as const;

/** The expected result where only `names` receive these events. */
export function toldTo(names: readonly Name[], ...told: ReceivedEvent[]): Record<Name, ReceivedEvent[]> {
  const of = (name: Name) => (names.includes(name) ? told : []);
  return {
    owner: of('owner'),
    manager: of('manager'),
    insider: of('insider'),
    member: of('member'),
    stranger: of('stranger'),
    bot: of('bot'),
  };
}

/** Creates the guild before the describe block's tests. Call the returned function inside tests only. */
export function useCast(stack: TestStack, gateway: Gateway): () => Cast {
  let opened: Cast | undefined;
  beforeAll(async () => {
    opened = await openCast(stack, gateway);
  });
  return () => {
    if (opened === undefined) throw new Error('the watched guild is not created yet');
    return opened;
  };
}

async function openCast({ api }: TestStack, gateway: Gateway): Promise<Cast> {
  const fixture = await newGuild(api);
  const { owner, guild } = fixture;
  const [manager, insider, member, stranger, bot] = await Promise.all([
    join(api, fixture),
    join(api, fixture),
    join(api, fixture),
    newcomer(unhurried(api)),
    newActorBot(api),
  ]);
  await installBot(owner, guild, bot);
  const insiders = await createRole(fixture, { name: 'insiders', permissions: '0' });
  await giveRole(fixture, insider, insiders);
  const managers = await createRole(fixture, { name: 'managers', permissions: bits('MANAGE_CHANNELS') });
  await giveRole(fixture, manager, managers);
  const secret = await createChannel(fixture, {
    name: 'secret',
    permission_overwrites: hidden(guild, insiders),
  });
  const people = { owner, manager, insider, member, stranger, bot };
  const marks = await marksFor(owner, manager, insider, member, stranger);
  await installBot(owner, { id: marks.guild_id }, bot);
  const watched = {
    owner: await watch(gateway, owner, marks),
    manager: await watch(gateway, manager, marks),
    insider: await watch(gateway, insider, marks),
    member: await watch(gateway, member, marks),
    stranger: await watch(gateway, stranger, marks),
    bot: await watch(gateway, bot, marks),
  };
  return { fixture, secret, insiders, ...people, watched, during: (act) => toldDuring(watched, act) };
}

/** A channel for marks, in a guild that all these accounts join. */
export async function marksFor(by: Person, ...others: Person[]): Promise<Marks> {
  const marks = await openMarks(by);
  const { code } = await ok<Invite>(by.api.post(`/channels/${marks.channel_id}/invites`, {}));
  for (const { api } of others) await ok(api.post(`/invites/${code}`));
  return marks;
}

/** Overwrites that hide a channel from all but a role. */
export function hidden({ id }: { readonly id: string }, to: { readonly id: string }) {
  return [
    { id, type: 0, allow: '0', deny: VIEW },
    { id: to.id, type: 0, allow: VIEW, deny: '0' },
  ];
}
