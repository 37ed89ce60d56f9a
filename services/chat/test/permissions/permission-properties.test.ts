import {
  ALL_PERMISSIONS,
  channelPermissions,
  guildPermissions,
  holds,
  type Membership,
  type Overwrite,
  Permission,
} from '@gatehouse/chat-client/permissions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highestPosition, requireAboveMember, requireAboveRole } from '../../src/guilds/hierarchy.ts';

/** Seeded, so that failures are reproducible. */
const RUNS = { numRuns: 5_000, seed: 20_260_102 };
const GUILD = '100';
const ACCOUNTS = ['1', '2', '3'];
const ROLES = ['11', '12', '13', '14'];
const NAMES = Object.keys(Permission) as PermissionName[];
type PermissionName = keyof typeof Permission;

/** Permissions as a set of names, without bit arithmetic. */
type Names = ReadonlySet<PermissionName>;

interface NaiveRole {
  readonly id: string;
  readonly position: number;
  readonly names: Names;
}

interface NaiveOverwrite {
  readonly id: string;
  readonly type: 'role' | 'member';
  readonly allow: Names;
  readonly deny: Names;
}

interface NaiveGuild {
  readonly owner: string;
  readonly everyone: NaiveRole;
  readonly roles: readonly NaiveRole[];
  /** Account → its roles. Accounts without an entry are no members. */
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly overwrites: readonly NaiveOverwrite[];
}

/** Computes docs/guilds.md#computation one permission at a time. */
function mayInGuild(guild: NaiveGuild, account: string, name: PermissionName): boolean {
  const held = guild.members[account];
  if (held === undefined) return false;
  if (guild.owner === account) return true;
  const roles = [guild.everyone, ...guild.roles.filter(({ id }) => held.includes(id))];
  return roles.some(({ names }) => names.has(name) || names.has('ADMINISTRATOR'));
}

/** The last applicable rule decides, so rules are tried from last to first. */
function mayInChannel(guild: NaiveGuild, account: string, name: PermissionName): boolean {
  const held = guild.members[account];
  if (held === undefined) return false;
  if (guild.owner === account || mayInGuild(guild, account, 'ADMINISTRATOR')) return true;
  if (name === 'ADMINISTRATOR') return false;
  const ofMember = guild.overwrites.filter(({ type, id }) => type === 'member' && id === account);
  const ofRoles = guild.overwrites.filter(({ type, id }) => type === 'role' && held.includes(id));
  const ofEveryone = guild.overwrites.filter(({ type, id }) => type === 'role' && id === GUILD);
  for (const overwrites of [ofMember, ofRoles, ofEveryone]) {
    if (overwrites.some(({ allow }) => allow.has(name))) return true;
    if (overwrites.some(({ deny }) => deny.has(name))) return false;
  }
  return mayInGuild(guild, account, name);
}

/** Whether an account's highest role is above a position. */
function isAbove(guild: NaiveGuild, account: string, place: number): boolean {
  if (guild.owner === account) return true;
  return guild.roles.some(({ id, position }) => guild.members[account]?.includes(id) && position > place);
}

const names = fc
  .subarray(NAMES)
  .chain((some) => fc.boolean().map((plain) => (plain ? some.filter((n) => n !== 'ADMINISTRATOR') : some)))
  .map((some): Names => new Set(some));
const roleOf = (id: string, position: fc.Arbitrary<number>) =>
  fc.record({ id: fc.constant(id), position, names });
/** Some have unknown roles and accounts, or the wrong type. */
const overwrite = fc.record({
  id: fc.constantFrom(GUILD, ...ROLES, ...ACCOUNTS, '999'),
  type: fc.constantFrom('role' as const, 'member' as const),
  allow: names,
  deny: names,
});
const guilds: fc.Arbitrary<NaiveGuild> = fc.record({
  owner: fc.constantFrom(...ACCOUNTS),
  everyone: roleOf(GUILD, fc.constant(0)),
  roles: fc.tuple(...ROLES.map((id) => roleOf(id, fc.integer({ min: 0, max: 4 })))),
  members: fc.dictionary(fc.constantFrom(...ACCOUNTS), fc.subarray(ROLES)),
  overwrites: fc.uniqueArray(overwrite, { selector: ({ id, type }) => `${type} ${id}`, maxLength: 10 }),
});

function bitsOf(some: Iterable<PermissionName>): bigint {
  return [...some].reduce((bits, name) => bits + Permission[name], 0n);
}

function membershipOf(guild: NaiveGuild, account_id: string): Membership {
  const held = guild.members[account_id];
  const roles = [guild.everyone, ...guild.roles.filter(({ id }) => held?.includes(id))];
  return {
    guild_id: GUILD,
    owner_id: guild.owner,
    account_id,
    is_member: held !== undefined,
    roles:
      held === undefined ? [] : roles.map((role) => ({ ...role, permissions: String(bitsOf(role.names)) })),
  };
}

function overwritesOf({ overwrites }: NaiveGuild): Overwrite[] {
  return overwrites.map(({ id, type, allow, deny }) => ({
    id,
    type: type === 'role' ? 0 : 1,
    allow: String(bitsOf(allow)),
    deny: String(bitsOf(deny)),
  }));
}

const cases = fc.tuple(guilds, fc.constantFrom(...ACCOUNTS), fc.constantFrom(...ACCOUNTS));

test('an account’s permissions in a guild follow the rules for each permission', () => {
  const check = fc.property(cases, ([guild, account]) => {
    const may = NAMES.filter((name) => mayInGuild(guild, account, name));
    expect(guildPermissions(membershipOf(guild, account))).toBe(bitsOf(may));
  });
  fc.assert(check, RUNS);
});

test('an account’s permissions in a channel follow the rules for each permission', () => {
  const check = fc.property(cases, ([guild, account]) => {
    const may = NAMES.filter((name) => mayInChannel(guild, account, name));
    expect(channelPermissions(membershipOf(guild, account), overwritesOf(guild))).toBe(bitsOf(may));
  });
  fc.assert(check, RUNS);
});

test('the order of overwrites, and overwrites of others, change nothing', () => {
  const check = fc.property(cases, names, ([guild, account], some) => {
    const membership = membershipOf(guild, account);
    const overwrites = overwritesOf(guild);
    const [unknown, bits] = ['12345', String(bitsOf(some))];
    const more = [0, 1].flatMap((type) => [
      { id: unknown, type, allow: bits, deny: '0' },
      { id: `${unknown}${type}`, type, allow: '0', deny: bits },
    ]);
    expect(channelPermissions(membership, [...more, ...overwrites.toReversed()])).toBe(
      channelPermissions(membership, overwrites),
    );
  });
  fc.assert(check, RUNS);
});

test('unknown bits grant nothing, wherever they are', () => {
  const stray = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  const check = fc.property(cases, stray, ([guild, account], bits) => {
    const noise = bits & ~ALL_PERMISSIONS;
    const noisy = (text: string) => String(BigInt(text) | noise);
    const clean = membershipOf(guild, account);
    const roles = clean.roles.map((role) => ({ ...role, permissions: noisy(role.permissions) }));
    const overwrites = overwritesOf(guild);
    const noisyOverwrites = overwrites.map((one) => ({
      ...one,
      allow: noisy(one.allow),
      deny: noisy(one.deny),
    }));
    expect(guildPermissions({ ...clean, roles })).toBe(guildPermissions(clean));
    expect(channelPermissions({ ...clean, roles }, noisyOverwrites)).toBe(
      channelPermissions(clean, overwrites),
    );
  });
  fc.assert(check, RUNS);
});

test('the role hierarchy follows the rules', () => {
  const check = fc.property(cases, ([guild, account, other]) => {
    const membership = membershipOf(guild, account);
    const refused = (judge: () => void): boolean => {
      try {
        judge();
        return false;
      } catch {
        return true;
      }
    };
    for (const role of [guild.everyone, ...guild.roles])
      expect(refused(() => requireAboveRole(membership, role))).toBe(!isAbove(guild, account, role.position));
    const others = guild.roles.filter(({ id }) => guild.members[other]?.includes(id));
    const places = [0, ...others.map(({ position }) => position)];
    const above =
      account !== other && guild.owner !== other && places.every((place) => isAbove(guild, account, place));
    expect(refused(() => requireAboveMember(membership, membershipOf(guild, other)))).toBe(!above);
  });
  fc.assert(check, RUNS);
});

test('the hierarchy has no cycles, and holding a set of permissions means holding each', () => {
  const check = fc.property(cases, names, ([guild, account, other], some) => {
    const [mine, theirs] = [membershipOf(guild, account), membershipOf(guild, other)];
    if (highestPosition(mine) > highestPosition(theirs))
      expect(() => requireAboveMember(theirs, mine)).toThrow();
    const permissions = guildPermissions(mine);
    expect(holds(permissions, bitsOf(some))).toBe(
      [...some].every((name) => mayInGuild(guild, account, name)),
    );
  });
  fc.assert(check, RUNS);
});
