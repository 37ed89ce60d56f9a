import type { Role } from '@gatehouse/proto/chat';
import { describe, expect, test } from 'vitest';
import type { ManagedGuild } from '../../src/guilds/managed-guild.ts';
import {
  actorOf,
  givableRoles,
  rankObstacle,
  removalObstacle,
  roleObstacle,
} from '../../src/guilds/members/hierarchy.ts';
import { KICK_MEMBERS, MANAGE_ROLES } from '../../src/shared/permissions.ts';

const role = (id: string, position: number, permissions = 0n): Role => ({
  id,
  name: `role ${id}`,
  color: 0,
  position,
  hoist: false,
  mentionable: false,
  permissions: String(permissions),
});

const EVERYONE = role('1', 0);
const LOW = role('11', 1);
const KICKING = role('12', 2, KICK_MEMBERS);
const MODERATOR = role('13', 3, MANAGE_ROLES);
const HIGH = role('14', 4);

const GUILD: ManagedGuild = {
  id: '1',
  name: 'Workshop',
  icon: null,
  owner_id: '100',
  member_count: 3,
  roles: [EVERYONE, LOW, KICKING, MODERATOR, HIGH],
  permissions: String(MANAGE_ROLES),
};
const member = (id: string, ...roles: Role[]) => ({
  user: { id, username: id, discriminator: '0', global_name: null, avatar: null, bot: false },
  roles: roles.map((one) => one.id),
});

const moderator = actorOf(GUILD, '200', [MODERATOR.id]);
const owner = actorOf(GUILD, '100', []);

describe('the role hierarchy', () => {
  test('a moderator may change members below, and neither equals nor the owner', () => {
    expect(rankObstacle(GUILD, moderator, member('300', KICKING))).toBeUndefined();
    expect(rankObstacle(GUILD, moderator, member('300', MODERATOR))).toBe('rank');
    expect(rankObstacle(GUILD, moderator, member('300', HIGH))).toBe('rank');
    expect(rankObstacle(GUILD, moderator, member('100'))).toBe('owner');
  });

  test('people may change their own roles, but not remove themselves', () => {
    const self = member('200', MODERATOR);
    expect(rankObstacle(GUILD, moderator, self)).toBeUndefined();
    expect(removalObstacle(GUILD, moderator, self)).toBe('self');
    expect(removalObstacle(GUILD, owner, member('100'))).toBe('self');
  });

  test('somebody without roles may change nobody', () => {
    expect(rankObstacle(GUILD, actorOf(GUILD, '400', []), member('300'))).toBe('rank');
  });

  test('a moderator may give lower roles without permissions of their own, and take any lower one', () => {
    expect(roleObstacle(moderator, LOW, false)).toBeUndefined();
    expect(roleObstacle(moderator, KICKING, false)).toEqual({
      why: 'permissions',
      names: ['Remove members'],
    });
    expect(roleObstacle(moderator, KICKING, true)).toBeUndefined();
    expect(roleObstacle(moderator, MODERATOR, true)).toEqual({ why: 'rank' });
    expect(roleObstacle(moderator, HIGH, false)).toEqual({ why: 'rank' });
  });

  test('the owner may give every role', () => {
    const roles = givableRoles(GUILD);
    expect(roles.map(({ id }) => id)).toEqual(['14', '13', '12', '11']);
    for (const one of roles) expect(roleObstacle(owner, one, false)).toBeUndefined();
  });
});
