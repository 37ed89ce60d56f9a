import { describe, expect, test } from 'vitest';
import { guildIdOf, hashOf, viewOf } from '../../src/guilds/route.ts';
import { permissionsIn, tabsFor } from '../../src/guilds/tabs.ts';
import {
  ALL_PERMISSIONS,
  KICK_MEMBERS,
  MANAGE_ROLES,
  maskOf,
  PERMISSIONS,
} from '../../src/shared/permissions.ts';

describe('the tabs of a guild', () => {
  test('each needs one of its permissions', () => {
    expect(tabsFor(0n)).toEqual([]);
    for (const permission of [MANAGE_ROLES, KICK_MEMBERS]) expect(tabsFor(permission)).toContain('members');
  });

  test('permissions to talk show none', () => {
    const names = [
      'VIEW_CHANNEL',
      'SEND_MESSAGES',
      'CREATE_INSTANT_INVITE',
      'BAN_MEMBERS',
      'MANAGE_CHANNELS',
    ];
    expect(tabsFor(maskOf(PERMISSIONS.filter(({ name }) => names.includes(name))))).toEqual([]);
  });

  test('owners and administrators have all permissions', () => {
    expect(permissionsIn({ owner_id: '7', permissions: '0' }, '7')).toBe(ALL_PERMISSIONS);
    expect(permissionsIn({ owner_id: '7', permissions: '8' }, '8')).toBe(ALL_PERMISSIONS);
    expect(permissionsIn({ owner_id: '7', permissions: '2' }, '8')).toBe(KICK_MEMBERS);
  });
});

describe('the addresses of guild pages', () => {
  test.each([
    ['/guilds/7', '7'],
    ['/guilds', undefined],
    ['/guilds/7/8', undefined],
    ['/guilds/x', undefined],
  ])('%s names the guild %s', (path, id) => {
    expect(guildIdOf(path)).toBe(id);
  });

  test.each([
    ['', { tab: undefined, part: '' }],
    ['#members', { tab: 'members', part: '' }],
    ['#members/roles', { tab: 'members', part: 'roles' }],
    ['#toString', { tab: undefined, part: '' }],
    ['#nothing/roles', { tab: undefined, part: '' }],
  ])('the fragment "%s" names a view', (hash, view) => {
    expect(viewOf(hash)).toEqual(view);
  });

  test('the fragment of a view names it again', () => {
    expect(viewOf(hashOf('members', 'roles'))).toEqual({ tab: 'members', part: 'roles' });
  });
});
