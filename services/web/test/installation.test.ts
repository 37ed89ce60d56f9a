import { describe, expect, it } from 'vitest';
import { installable, type ListedGuild, permissionsOf } from '../src/consent/guilds.ts';
import { canAllow, firstChoice, installationOf, offeredPermissions } from '../src/consent/installation.ts';
import type { LoadedConsent } from '../src/consent/load-consent.ts';
import { readRequest } from '../src/consent/request.ts';
import { ADMINISTRATOR, ALL_PERMISSIONS, MANAGE_GUILD } from '../src/shared/permissions.ts';

const ME = '1';
const SEND = 1n << 11n;
const BAN = 1n << 2n;

function guild(id: string, permissions: bigint, owner_id = '2'): ListedGuild {
  return { id, name: `guild ${id}`, owner_id, permissions: String(permissions) };
}

const OWNED = guild('10', 0n, ME);
const ADMINISTERED = guild('11', ADMINISTRATOR);
const MANAGED = guild('12', MANAGE_GUILD | SEND);
const JOINED = guild('13', SEND | BAN);

function loaded(...guilds: ListedGuild[]): LoadedConsent {
  const created_at = '2026-01-01T00:00:00.000Z';
  const application = {
    id: '3',
    name: 'Clock',
    bot_public: true,
    bot_require_code_grant: false,
    scopes: [],
    created_at,
  };
  return { account_id: ME, application, target: { kind: 'guild', guilds } };
}

const request = (query: string) => readRequest(`?client_id=3&${query}`);

describe('the guilds to install a bot into', () => {
  it('are the guilds that the account owns, administers or manages', () => {
    expect(installable([OWNED, ADMINISTERED, MANAGED, JOINED], ME)).toEqual([OWNED, ADMINISTERED, MANAGED]);
    expect(installable([{ ...JOINED, permissions: null }], ME)).toEqual([]);
  });

  it('let owners and administrators give all permissions, and others their own', () => {
    expect(permissionsOf(OWNED, ME)).toBe(ALL_PERMISSIONS);
    expect(permissionsOf(ADMINISTERED, ME)).toBe(ALL_PERMISSIONS);
    expect(permissionsOf(MANAGED, ME)).toBe(MANAGE_GUILD | SEND);
  });
});

describe('the guild', () => {
  it('is the one in the link, if the account may choose it', () => {
    const named = request('scope=bot&guild_id=12');
    expect(firstChoice(named, loaded(OWNED, MANAGED)).guild_id).toBe('12');
    expect(firstChoice(named, loaded(OWNED)).guild_id).toBe('');
    expect(firstChoice(request('scope=bot'), loaded(OWNED)).guild_id).toBe('');
  });

  it.each([
    ['scope=bot', [OWNED], true],
    ['scope=bot', [], false],
    ['scope=bot+identify', [], true],
    ['scope=bot&guild_id=10&disable_guild_select=true', [OWNED], true],
    ['scope=bot+identify&guild_id=12&disable_guild_select=true', [OWNED], false],
    ['scope=bot&guild_id=12&disable_guild_select=false', [OWNED], true],
    ['scope=bot&disable_guild_select=true', [OWNED], true],
  ])('allows consent to "%s" with %j: %s', (query, guilds, can) => {
    expect(canAllow(request(query), loaded(...guilds))).toBe(can);
  });

  it('is required for the bot alone, and optional otherwise', () => {
    const choice = { guild_id: '', declined: 0n };
    expect(installationOf(request('scope=bot'), loaded(OWNED), choice)).toBeUndefined();
    expect(installationOf(request('scope=bot+identify'), loaded(OWNED), choice)).toEqual({});
  });
});

describe('the permissions', () => {
  const query = request(`scope=bot&permissions=${SEND | BAN | (1n << 19n)}`);

  it('are offered if they exist, and enabled if the account has them', () => {
    const shown = offeredPermissions(query, MANAGED, ME, 0n).map((offer) => [
      offer.permission.name,
      offer.isHeld,
    ]);
    expect(shown).toEqual([
      ['BAN_MEMBERS', false],
      ['SEND_MESSAGES', true],
    ]);
    expect(offeredPermissions(query, ADMINISTERED, ME, 0n).every(({ isHeld }) => isHeld)).toBe(true);
    expect(offeredPermissions(query, undefined, ME, 0n).every(({ isChecked }) => isChecked)).toBe(true);
    expect(offeredPermissions(request('scope=bot'), OWNED, ME, 0n)).toEqual([]);
  });

  it.each([
    ['10', 0n, SEND | BAN],
    ['10', BAN, SEND],
    ['10', SEND | BAN, 0n],
    ['12', 0n, SEND],
    ['12', SEND, 0n],
  ])('sent for guild %s with %s declined are %s', (guild_id, declined, permissions) => {
    const choice = { guild_id, declined };
    expect(installationOf(query, loaded(OWNED, MANAGED), choice)).toEqual({ guild_id, permissions });
  });

  it('are absent for a group conversation, and without a bot', () => {
    const choice = { guild_id: '', declined: 0n };
    const someone = loaded();
    const group = { ...someone, target: { kind: 'group', channel_id: '7', name: 'us' } } as const;
    expect(installationOf(query, group, choice)).toEqual({ channel_id: '7' });
    expect(installationOf(query, { ...someone, target: undefined }, choice)).toEqual({});
  });
});
