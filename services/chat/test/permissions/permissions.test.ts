import {
  ALL_PERMISSIONS,
  channelPermissions,
  DEFAULT_EVERYONE_PERMISSIONS,
  guildPermissions,
  type Membership,
  Permission,
} from '@gatehouse/chat-client/permissions';
import { describe, expect, test } from 'vitest';

const { ADMINISTRATOR, MANAGE_WEBHOOKS, SEND_MESSAGES, VIEW_CHANNEL, CONNECT } = Permission;
const GUILD = '10';
const OWNER = '1';
const MEMBER = '2';

function membership(account_id: string, roles: Record<string, bigint> = {}, is_member = true): Membership {
  const held = Object.entries({ [GUILD]: VIEW_CHANNEL | SEND_MESSAGES, ...roles });
  return {
    guild_id: GUILD,
    owner_id: OWNER,
    account_id,
    is_member,
    roles: is_member ? held.map(([id, bits]) => ({ id, position: 1, permissions: String(bits) })) : [],
  };
}

function overwrite(type: number, id: string, { allow = 0n, deny = 0n }: { allow?: bigint; deny?: bigint }) {
  return { id, type, allow: String(allow), deny: String(deny) };
}

describe('the bits', () => {
  test('have the documented values: all together, and those of a new guild', () => {
    expect(ALL_PERMISSIONS).toBe(33787032395841535n);
    const bits = [0, 6, 9, 10, 11, 14, 15, 16, 18, 20, 21, 25, 26, 37, 54];
    expect(DEFAULT_EVERYONE_PERMISSIONS).toBe(bits.reduce((all, bit) => all | (1n << BigInt(bit)), 0n));
  });
});

describe('in a guild', () => {
  test('an account that is no member has none, the owner has all', () => {
    expect(guildPermissions(membership(MEMBER, {}, false))).toBe(0n);
    expect(guildPermissions(membership(OWNER, {}, false))).toBe(0n);
    expect(guildPermissions(membership(OWNER))).toBe(ALL_PERMISSIONS);
  });

  test('a member has those of @everyone and its roles', () => {
    expect(guildPermissions(membership(MEMBER, { 20: MANAGE_WEBHOOKS, 21: CONNECT }))).toBe(
      VIEW_CHANNEL | SEND_MESSAGES | MANAGE_WEBHOOKS | CONNECT,
    );
  });

  test('ADMINISTRATOR grants everything', () => {
    expect(guildPermissions(membership(MEMBER, { 20: ADMINISTRATOR }))).toBe(ALL_PERMISSIONS);
  });
});

describe('in a channel', () => {
  const base = VIEW_CHANNEL | SEND_MESSAGES;

  test('an @everyone overwrite denies, then allows', () => {
    const both = overwrite(0, GUILD, { deny: SEND_MESSAGES | CONNECT, allow: CONNECT });
    expect(channelPermissions(membership(MEMBER), [both])).toBe(VIEW_CHANNEL | CONNECT);
  });

  test('an allow of one role overrides a deny of another, and both override @everyone’s', () => {
    const member = membership(MEMBER, { 20: 0n, 21: 0n });
    const overwrites = [
      overwrite(0, '21', { allow: SEND_MESSAGES }),
      overwrite(0, '20', { deny: SEND_MESSAGES | VIEW_CHANNEL }),
      overwrite(0, GUILD, { deny: SEND_MESSAGES }),
    ];
    expect(channelPermissions(member, overwrites)).toBe(SEND_MESSAGES);
  });

  test('the member’s own overwrite overrides all others', () => {
    const overwrites = [
      overwrite(1, MEMBER, { deny: SEND_MESSAGES, allow: MANAGE_WEBHOOKS }),
      overwrite(0, GUILD, { allow: SEND_MESSAGES }),
    ];
    expect(channelPermissions(membership(MEMBER), overwrites)).toBe(VIEW_CHANNEL | MANAGE_WEBHOOKS);
  });

  test('overwrites of other roles and members have no effect', () => {
    const overwrites = [
      overwrite(0, '20', { deny: VIEW_CHANNEL }),
      overwrite(1, '3', { deny: VIEW_CHANNEL }),
      overwrite(1, GUILD, { deny: VIEW_CHANNEL }),
      overwrite(0, MEMBER, { deny: VIEW_CHANNEL }),
    ];
    expect(channelPermissions(membership(MEMBER), overwrites)).toBe(base);
  });

  test('ADMINISTRATOR in an overwrite has no effect', () => {
    const overwrites = [overwrite(0, GUILD, { allow: ADMINISTRATOR })];
    expect(channelPermissions(membership(MEMBER), overwrites)).toBe(base);
  });

  test('the owner and administrators cannot be denied anything', () => {
    const overwrites = [overwrite(0, GUILD, { deny: ALL_PERMISSIONS })];
    expect(channelPermissions(membership(OWNER), overwrites)).toBe(ALL_PERMISSIONS);
    expect(channelPermissions(membership(MEMBER, { 20: ADMINISTRATOR }), overwrites)).toBe(ALL_PERMISSIONS);
  });

  test('an overwrite gives nothing to an account that is no member', () => {
    const overwrites = [overwrite(1, MEMBER, { allow: VIEW_CHANNEL })];
    expect(channelPermissions(membership(MEMBER, {}, false), overwrites)).toBe(0n);
  });
});
