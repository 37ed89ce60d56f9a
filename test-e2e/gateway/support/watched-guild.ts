import { beforeAll } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { withGlobalRetry } from '../../support/api.ts';
import { type Bot, installBot, newBot } from '../../support/bots.ts';
import { expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, giveRole, join, newGuild } from '../../support/guilds.ts';
import type { Channel, Invite, Role } from '../../support/objects.ts';
import { type GuildFixture, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { Gateway } from './use-gateway.ts';
import {
  type MarkChannel,
  openMarkChannel,
  type ReceivedEvent,
  receivedDuring,
  type WatchedSession,
  watch,
} from './watch.ts';

const VIEW = bits('VIEW_CHANNEL');

/** A guild with a hidden channel, and people with watched Gateway sessions. */
export interface WatchedGuild {
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
  readonly watched: Readonly<Record<ViewerName, WatchedSession>>;
  /** Returns every event of each session while `act` runs, in order. */
  during(act: () => Promise<unknown>): Promise<Record<ViewerName, ReceivedEvent[]>>;
}

export type ViewerName = 'owner' | 'manager' | 'insider' | 'member' | 'stranger' | 'bot';

/** The members of the guild. */
export const MEMBERS = ['owner', 'manager', 'insider', 'member', 'bot'] as const;

/** The expected result if only `names` receive these events. */
export function receivedBy(
  names: readonly ViewerName[],
  ...received: ReceivedEvent[]
): Record<ViewerName, ReceivedEvent[]> {
  const of = (name: ViewerName) => (names.includes(name) ? received : []);
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
export function useWatchedGuild(stack: TestStack, gateway: Gateway): () => WatchedGuild {
  let opened: WatchedGuild | undefined;
  beforeAll(async () => {
    opened = await openWatchedGuild(stack, gateway);
  });
  return () => {
    if (opened === undefined) throw new Error('the watched guild is not created yet');
    return opened;
  };
}

async function openWatchedGuild({ api }: TestStack, gateway: Gateway): Promise<WatchedGuild> {
  const fixture = await newGuild(api);
  const { owner, guild } = fixture;
  const [manager, insider, member, stranger, bot] = await Promise.all([
    join(api, fixture),
    join(api, fixture),
    join(api, fixture),
    newcomer(withGlobalRetry(api)),
    newBot(api),
  ]);
  await installBot(owner, guild, bot);
  const insiders = await createRole(fixture, { name: 'insiders', permissions: '0' });
  await giveRole(fixture, insider, insiders);
  const managers = await createRole(fixture, { name: 'managers', permissions: bits('MANAGE_CHANNELS') });
  await giveRole(fixture, manager, managers);
  const secret = await createChannel(fixture, {
    name: 'secret',
    permission_overwrites: hiddenExceptFor(guild, insiders),
  });
  const people = { owner, manager, insider, member, stranger, bot };
  const marks = await sharedMarkChannel(owner, manager, insider, member, stranger);
  await installBot(owner, { id: marks.guild_id }, bot);
  const watched = {
    owner: await watch(gateway, owner, marks),
    manager: await watch(gateway, manager, marks),
    insider: await watch(gateway, insider, marks),
    member: await watch(gateway, member, marks),
    stranger: await watch(gateway, stranger, marks),
    bot: await watch(gateway, bot, marks),
  };
  return { fixture, secret, insiders, ...people, watched, during: (act) => receivedDuring(watched, act) };
}

/** A channel for marks, in a guild that all these accounts join. */
export async function sharedMarkChannel(by: Person, ...others: Person[]): Promise<MarkChannel> {
  const marks = await openMarkChannel(by);
  const { code } = await expectOk<Invite>(by.api.post(`/channels/${marks.channel_id}/invites`, {}));
  for (const { api } of others) await expectOk(api.post(`/invites/${code}`));
  return marks;
}

/** Overwrites that hide a channel from all but a role. */
export function hiddenExceptFor({ id }: { readonly id: string }, to: { readonly id: string }) {
  return [
    { id, type: 0, allow: '0', deny: VIEW },
    { id: to.id, type: 0, allow: VIEW, deny: '0' },
  ];
}
