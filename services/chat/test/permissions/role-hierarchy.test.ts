import { Permission } from '@gatehouse/chat-client/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGuild, addMember, addRole } from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const { ADMINISTRATOR, BAN_MEMBERS, KICK_MEMBERS, MANAGE_ROLES, SEND_MESSAGES } = Permission;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_role_hierarchy');
});
afterAll(() => fixture.close());

/** The actors. Each has MANAGE_ROLES, and none of the permissions that are not named. */
const ACTORS = {
  owner: undefined,
  /** Highest role at 5. */
  administrator: { position: 5, bits: ADMINISTRATOR },
  /** Highest role at 5. */
  manager: { position: 5, bits: MANAGE_ROLES | KICK_MEMBERS },
  /** Its highest role is @everyone, which has MANAGE_ROLES in these guilds. */
  anybody: undefined,
} as const;
type Actor = keyof typeof ACTORS;

interface RankedGuild {
  readonly guild_id: string;
  readonly accounts: Record<Actor, string>;
  /** The roles by position. The role at 3 has BAN_MEMBERS. */
  readonly roles: Record<3 | 5 | 7, string>;
}

/** A new guild for each case. */
async function guildWithManager(): Promise<RankedGuild> {
  const { guild_id, owner } = await addGuild(fixture);
  await fixture.chat.updateRole(
    { guild_id, role_id: guild_id, permissions: String(MANAGE_ROLES | SEND_MESSAGES) },
    as(owner),
  );
  const [administrator, manager, anybody] = [
    await addMember(fixture, guild_id),
    await addMember(fixture, guild_id),
    await addMember(fixture, guild_id),
  ];
  for (const [holder, { position, bits }] of [
    [administrator, ACTORS.administrator],
    [manager, ACTORS.manager],
  ] as const)
    await addRole(fixture, guild_id, bits, { holder, position });
  const roles = {
    3: await addRole(fixture, guild_id, BAN_MEMBERS, { position: 3 }),
    5: await addRole(fixture, guild_id, 0n, { position: 5 }),
    7: await addRole(fixture, guild_id, 0n, { position: 7 }),
  };
  // A member may hold lower roles too.
  await addRole(fixture, guild_id, 0n, { holder: manager, position: 2 });
  return { guild_id, accounts: { owner, administrator, manager, anybody }, roles };
}

type Attempt = (home: RankedGuild, options: ReturnType<typeof as>) => Promise<unknown>;

const create =
  (bits?: bigint): Attempt =>
  ({ guild_id }, options) =>
    fixture.chat.createRole({ guild_id, ...(bits !== undefined && { permissions: String(bits) }) }, options);
const rename =
  (at: 3 | 5 | 7): Attempt =>
  ({ guild_id, roles }, options) =>
    fixture.chat.updateRole({ guild_id, role_id: roles[at], name: 'other' }, options);
const grant =
  (bits: bigint, at?: 3): Attempt =>
  ({ guild_id, roles }, options) =>
    fixture.chat.updateRole(
      { guild_id, role_id: at === undefined ? guild_id : roles[at], permissions: String(bits) },
      options,
    );
const remove =
  (at: 3 | 5 | 7): Attempt =>
  ({ guild_id, roles }, options) =>
    fixture.chat.deleteRole({ guild_id, role_id: roles[at] }, options);
const move =
  (...moves: (readonly [3 | 5 | 7, number])[]): Attempt =>
  ({ guild_id, roles }, options) =>
    fixture.chat.updateRolePositions(
      { guild_id, positions: moves.map(([at, position]) => ({ id: roles[at], position })) },
      options,
    );

const ALL: readonly Actor[] = ['owner', 'administrator', 'manager', 'anybody'];
const HIGH: readonly Actor[] = ['owner', 'administrator', 'manager'];
const FULL: readonly Actor[] = ['owner', 'administrator'];
const OWNER: readonly Actor[] = ['owner'];

describe.each<readonly [string, Attempt, readonly Actor[]]>([
  ['creates a role without permissions', create(0n), ALL],
  ['creates a role with permissions of @everyone', create(), ALL],
  ['creates a role with permissions that a manager has', create(MANAGE_ROLES | KICK_MEMBERS), HIGH],
  ['creates a role with one permission that a manager lacks', create(KICK_MEMBERS | BAN_MEMBERS), FULL],
  ['creates an administrator’s role', create(ADMINISTRATOR), FULL],
  ['renames a lower role', rename(3), HIGH],
  ['renames a role at the same position', rename(5), OWNER],
  ['renames a higher role', rename(7), OWNER],
  ['adds permissions that a manager has', grant(BAN_MEMBERS | KICK_MEMBERS, 3), HIGH],
  ['adds a permission that a manager lacks', grant(BAN_MEMBERS | ADMINISTRATOR, 3), FULL],
  ['removes a permission that a manager lacks', grant(0n, 3), HIGH],
  ['takes from @everyone', grant(MANAGE_ROLES), HIGH],
  ['adds to @everyone a permission that a manager lacks', grant(MANAGE_ROLES | BAN_MEMBERS), FULL],
  ['deletes a lower role', remove(3), HIGH],
  ['deletes a role at the same position', remove(5), OWNER],
  ['deletes a higher role', remove(7), OWNER],
  ['moves a lower role to just below the highest', move([3, 4]), HIGH],
  ['moves a lower role to the position of the highest', move([3, 5]), OWNER],
  ['moves a lower role above the highest', move([3, 9]), OWNER],
  ['moves a higher role below', move([7, 1]), OWNER],
  ['moves a role at the same position', move([5, 1]), OWNER],
  ['moves a lower and a higher role', move([3, 2], [7, 6]), OWNER],
  ['moves a lower role and leaves higher ones', move([3, 2], [5, 5], [7, 7]), HIGH],
])('whoever %s', (_what, attempt, allowed) => {
  test.each(ALL)(`is allowed (${allowed.join(', ')}) or refused and changes nothing: %s`, async (actor) => {
    const here = await guildWithManager();
    const rolesNow = async () =>
      (await fixture.chat.listRoles({ guild_id: here.guild_id }, as(here.accounts.owner))).roles;
    const before = await rolesNow();
    const outcome = await attempt(here, as(here.accounts[actor])).then(
      () => 'allowed',
      (error) => error.reason as string,
    );
    expect(outcome).toBe(allowed.includes(actor) ? 'allowed' : 'MISSING_PERMISSIONS');
    if (outcome === 'allowed') expect(await rolesNow()).not.toEqual(before);
    else expect(await rolesNow()).toEqual(before);
  });
});

test('a former owner has the rank of its roles', async () => {
  const { guild_id, accounts, roles } = await guildWithManager();
  await fixture.chat.updateGuild({ guild_id, icon: null, owner_id: accounts.anybody }, as(accounts.owner));
  const outcome = rename(3)({ guild_id, accounts, roles }, as(accounts.owner));
  await expect(outcome).rejects.toMatchObject({ reason: 'MISSING_PERMISSIONS' });
  await rename(7)({ guild_id, accounts, roles }, as(accounts.anybody));
});
