import { channelPermissions, Permission } from '@gatehouse/chat-client/permissions';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import { expect, it } from 'vitest';
import type { LogEvent } from '../../src/world/event.ts';
import { World } from '../../src/world/world.ts';
import { accountState, channel, guildRow, guildState, logEvent, member, overwrite, role } from './rows.ts';

const { VIEW_CHANNEL: VIEW, SEND_MESSAGES } = Permission;
const MEMBERS = 5000;
const CHANNELS = 500;
const ROLES = Array.from({ length: 20 }, (_, n) => String(200 + n));
/** All members but the owner have one of the roles. */
const ROLE_SETS = ROLES.length + 1;
/** Of each ten channels the first is open, and the others are for one role each and two accounts. */
const VIEWER_GROUPS = 10;

it('computes permissions once per role set and viewer group, for any number of members and channels', () => {
  let asked = 0;
  const world = new World<string>((membership, overwrites) => {
    asked++;
    return channelPermissions(membership, overwrites);
  });
  const askedFor = (act: () => void): number => {
    asked = 0;
    act();
    return asked;
  };
  const apply = (...events: readonly LogEvent[]) =>
    askedFor(() => {
      for (const event of events) world.apply(event);
    });
  const guild = largeGuild();
  const messages = guild.channels.map(({ id }) =>
    logEvent('MESSAGE_CREATE', { id: '9' }, { guild_id: '100', channel_id: id }),
  );
  const roleUpdate = (id: string, permissions: bigint) =>
    logEvent('GUILD_ROLE_UPDATE', { role: role(id, permissions) }, { guild_id: '100' });
  const memberUpdate = (id: string, roleIds: readonly string[]) =>
    logEvent('GUILD_MEMBER_UPDATE', { member: member(id, roleIds) }, { guild_id: '100' });
  const stateOf = (one: MemberRow) => accountState(one.account_id, [{ ...guild, members: [one] }]);
  /** Two accounts with member overwrites, in all viewer groups but one. */
  const own = 2 * (VIEWER_GROUPS - 1);

  expect(
    askedFor(() => {
      world.addGuild(guildState(guild, []));
      for (const one of guild.members) world.addAccount(stateOf(one));
    }),
  ).toBe(0);
  expect(apply(...messages)).toBe(VIEWER_GROUPS * ROLE_SETS + own);
  expect(apply(...messages)).toBe(0);

  // Without effect on views.
  expect(apply(roleUpdate('100', VIEW | SEND_MESSAGES), roleUpdate('200', SEND_MESSAGES))).toBe(0);
  expect(apply(roleUpdate('200', VIEW))).toBe(0); // which @everyone has
  // Computed for holders only, and only after the change: the former permissions are cached.
  expect(apply(roleUpdate('201', Permission.ADMINISTRATOR))).toBe(VIEWER_GROUPS);
  expect(apply(...messages)).toBeLessThanOrEqual(own);
  // All members, computed by role set.
  expect(apply(roleUpdate('100', 0n))).toBeLessThanOrEqual(VIEWER_GROUPS * ROLE_SETS + 2 * own);
  expect(apply(...messages)).toBeLessThanOrEqual(own);

  // Both sets are known.
  expect(apply(memberUpdate('5000', ['205']), memberUpdate('5000', ['206']))).toBe(0);
  expect(apply(...messages)).toBeLessThanOrEqual(own);
  // A new set.
  expect(apply(memberUpdate('5000', ['205', '206']))).toBe(VIEWER_GROUPS);

  // Accounts that join and leave.
  const account = stateOf(member('4999', ['207']));
  expect(askedFor(() => world.removeAccount('4999'))).toBe(0);
  expect(askedFor(() => world.addAccount(account))).toBe(0);
  expect(apply(...messages)).toBeLessThanOrEqual(own);
  expect(apply(...messages)).toBe(0);

  // A channel that moves, and one that gets the overwrites of others.
  const [first, second] = guild.channels;
  if (first === undefined || second === undefined) throw new Error('there are 500');
  const place = { guild_id: '100', channel_id: first.id };
  const { permission_overwrites } = second;
  expect(apply(logEvent('CHANNEL_UPDATE', { ...first, position: 9 }, place))).toBe(0);
  expect(apply(logEvent('CHANNEL_UPDATE', { ...first, permission_overwrites }, place))).toBe(0);
});

function largeGuild() {
  const ids = Array.from({ length: MEMBERS }, (_, n) => String(n + 1));
  return {
    row: guildRow('100', '1'),
    roles: [role('100', VIEW), ...ROLES.map((id) => role(id, 0n))],
    channels: Array.from({ length: CHANNELS }, (_, n) => {
      const permission_overwrites = [
        overwrite('100', 0, 0n, VIEW),
        overwrite(ROLES[n % VIEWER_GROUPS] ?? '', 0, VIEW, 0n),
        overwrite('1000', 1, VIEW, 0n),
        overwrite('1001', 1, 0n, VIEW),
      ];
      const open = [overwrite('100', 0, 0n, SEND_MESSAGES)];
      return channel(String(10_000 + n), '100', {
        permission_overwrites: n % VIEWER_GROUPS === 0 ? open : permission_overwrites,
      });
    }),
    members: ids.map((id, n) => member(id, n === 0 ? [] : [ROLES[n % ROLES.length] ?? ''])),
  };
}
