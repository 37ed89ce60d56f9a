import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogEvent } from '../../src/world/event.ts';
import { memberRowIn } from '../../src/world/members.ts';
import { channelsVisibleTo } from '../../src/world/views.ts';
import { rolesOf, World } from '../../src/world/world.ts';
import { eventsFor, inOrder, isIn, may, type PlainChat } from './naive-world.ts';
import { after, newGuild } from './plain-log.ts';
import { ACCOUNTS, accountOf, type Command, commands, eventsOf } from './random-chat.ts';
import { receivedEvents } from './received-events.ts';
import { accountState, channel, guildState, member, overwrite, type PlainGuild, role } from './rows.ts';

/** Seeded, so that failures are reproducible. */
const SEED = 20_260_114;
const VIEW = 1n << 10n;
const runs = fc.array(commands, { minLength: 5, maxLength: 40, size: 'max' });

test('each account receives the documented events for the rows before and after, in order', () => {
  const check = fc.property(runs, (some) => {
    const { world, plain } = begin(['1', '2', '3']);
    const received = (before: PlainChat, now: PlainChat, event: LogEvent) => {
      const expected = ACCOUNTS.filter((id) => world.account(id) !== undefined).map((id) => [
        id,
        eventsFor(before, now, event, id),
      ]);
      load(world, now, event);
      const got = receivedEvents(world, event, ACCOUNTS);
      // Calling `expect` each time would take most of the time.
      if (JSON.stringify(got) !== JSON.stringify(Object.fromEntries(expected)))
        expect([event, got]).toEqual([event, Object.fromEntries(expected)]);
    };
    const end = play(plain, some, received, (command, now) => comeOrGo(world, now, command));
    expectSame(world, end);
  });
  fc.assert(check, { numRuns: 3000, seed: SEED });
}, 120_000);

test('applying events again to a state that includes them changes nothing', () => {
  const check = fc.property(runs, fc.nat(), fc.nat(), (some, one, other) => {
    const { world, plain } = begin(['1']);
    const log: [LogEvent, PlainChat][] = [];
    play(plain, some, (_, now, event) => log.push([event, now]));
    const [from, to] = [one % (log.length + 1), other % (log.length + 1)].sort((a, b) => a - b);
    const end = log.at(-1)?.[1] ?? plain;
    for (const [n, [event, now]] of log.entries()) {
      // The account is added here with a state that is newer than this position of the log.
      if (n === from) follow(world, log[to ?? 0]?.[1] ?? end, '2');
      load(world, n < (to ?? 0) ? (log[to ?? 0]?.[1] ?? end) : now, event);
      world.apply(event);
    }
    if ((to ?? 0) < log.length) expectSame(world, end);
  });
  fc.assert(check, { numRuns: 1500, seed: SEED });
}, 120_000);

/** Two guilds with roles and overwrites, so that short runs have some. */
function begin(followed: readonly string[]): { readonly world: World<string>; readonly plain: PlainChat } {
  const hidden = [overwrite('100', 0, 0n, VIEW), overwrite('101', 0, VIEW, 0n)];
  const guilds: PlainGuild[] = [
    {
      ...newGuild('100', '110', '1', VIEW),
      roles: [role('100', VIEW), role('101', 0n, 1), role('102', VIEW, 2)],
      channels: [
        channel('110', '100'),
        channel('111', '100', { position: 1, permission_overwrites: hidden }),
        channel('112', '100', { permission_overwrites: hidden }),
        channel('113', '100', { permission_overwrites: [...hidden, overwrite('2', 1, VIEW, 0n)] }),
      ],
      members: [member('1'), member('2', ['101']), member('3', ['102', '101']), member('4')],
    },
    { ...newGuild('200', '210', '2', 0n), members: [member('2'), member('3')] },
  ];
  const plain = { guilds, private_channels: {} };
  const world = new World<string>();
  for (const id of followed) follow(world, plain, id);
  return { world, plain };
}

/** Replays the log of the actions, and returns chat's final rows. */
function play(
  start: PlainChat,
  some: readonly Command[],
  onEvent: (before: PlainChat, now: PlainChat, event: LogEvent) => void,
  onOther: (command: Command, now: PlainChat) => void = () => undefined,
): PlainChat {
  let last = 1000;
  let plain = start;
  for (const command of some) {
    onOther(command, plain);
    for (const event of eventsOf(plain, command, () => String(++last))) {
      const now = after(plain, event);
      onEvent(plain, now, event);
      plain = now;
    }
  }
  return plain;
}

function comeOrGo(world: World<string>, plain: PlainChat, command: Command): void {
  if (command.name === 'follow') follow(world, plain, accountOf(command));
  if (command.name === 'unfollow') world.removeAccount(accountOf(command));
}

function follow(world: World<string>, plain: PlainChat, id: string): void {
  for (const guild of plain.guilds) if (isIn(guild, id)) world.addGuild(guildState(guild, [id]));
  world.addAccount(accountState(id, plain.guilds, plain.private_channels[id]));
}

function load(world: World<string>, plain: PlainChat, event: LogEvent): void {
  const lacking = world.missingGuild(event);
  for (const guild of plain.guilds)
    if (guild.row.id === lacking && event.account_ids.some((id) => isIn(guild, id)))
      world.addGuild(guildState(guild, event.account_ids));
}

function expectSame(world: World<string>, plain: PlainChat): void {
  const followed = ACCOUNTS.flatMap((id) => world.account(id) ?? []);
  const here = plain.guilds.filter((guild) => followed.some(({ id }) => isIn(guild, id)));
  for (const account of followed) {
    const { id, guilds, private_channels } = account;
    expect([id, new Set([...guilds].map((guild) => guild.id))]).toEqual([
      id,
      new Set(here.filter((guild) => isIn(guild, id)).map(({ row }) => row.id)),
    ]);
    const open = plain.private_channels[id] ?? [];
    expect(Object.fromEntries(private_channels)).toEqual(
      Object.fromEntries(open.map((one) => [one.id, one])),
    );
  }
  for (const { row, roles, channels, members } of here) {
    const guild = world.guild(row.id);
    if (guild === undefined) throw new Error(`guild ${row.id} is missing`);
    for (const { views } of guild.viewer_group_by_channel.values())
      expect([...views.keys()].filter((set) => set.members === 0)).toEqual([]);
    expect(guild.row).toEqual(row);
    expect(rolesOf(guild)).toEqual(inOrder(roles));
    expect(inOrder([...guild.channels.values()])).toEqual(inOrder(channels));
    for (const { id } of followed) {
      expect(memberRowIn(guild, id)).toEqual(members.find(({ account_id }) => account_id === id));
      const visible = inOrder(channels.filter((one) => may({ row, roles, channels, members }, one.id, id)));
      expect(channelsVisibleTo(guild, id)).toEqual(visible);
    }
  }
  const channels = here.reduce((sum, guild) => sum + guild.channels.length, 0);
  const open = followed.reduce((sum, { id }) => sum + (plain.private_channels[id]?.length ?? 0), 0);
  expect(world.size()).toEqual({ guilds: here.length, accounts: followed.length, channels: channels + open });
}
