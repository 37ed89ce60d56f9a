import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addChannel,
  addGroupDm,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const { ADMINISTRATOR, MANAGE_WEBHOOKS, VIEW_CHANNEL } = Permission;
const TEXT = 0;
const VOICE = 2;
const CATEGORY = 4;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_webhook_permissions');
});
afterAll(() => fixture.close());

/** A guild whose @everyone views channels, and a member who also manages webhooks. */
async function addGuildWithManager() {
  const guild = await addGuild(fixture);
  const { guild_id, owner } = guild;
  const everyone = { guild_id, role_id: guild_id, permissions: String(VIEW_CHANNEL) };
  await fixture.chat.updateRole(everyone, as(owner));
  return { ...guild, manager: await memberWith(guild_id, MANAGE_WEBHOOKS) };
}

async function memberWith(guild_id: string, bits: bigint): Promise<string> {
  const holder = await addMember(fixture, guild_id);
  await addRole(fixture, guild_id, bits, { holder });
  return holder;
}

const authorize = (
  account: string,
  channel_id: string,
  more: { destination_id?: string; reason?: string } = {},
) => fixture.chat.authorizeWebhooks({ channel_id, ...more }, as(account));
const outcomeOf = (account: string, channel_id: string, destination_id?: string) =>
  authorize(account, channel_id, destination_id === undefined ? {} : { destination_id }).then(
    () => 'authorized',
    ({ reason }) => reason,
  );
const listed = async (account: string, guild_id: string) =>
  (await fixture.chat.listWebhookChannels({ guild_id }, as(account))).channel_ids;

interface Bits {
  readonly allow?: bigint;
  readonly deny?: bigint;
}
type Overwritten = Readonly<Partial<Record<'everyone' | 'role' | 'member', Bits>>>;

describe('managing the webhooks of a channel', () => {
  test('requires MANAGE_WEBHOOKS in the guild, and VIEW_CHANNEL and MANAGE_WEBHOOKS in the channel', async () => {
    const { guild_id, general, owner, manager } = await addGuildWithManager();
    const plain = await addMember(fixture, guild_id);
    const allElse = await memberWith(guild_id, ALL_PERMISSIONS & ~MANAGE_WEBHOOKS & ~ADMINISTRATOR);
    const administrator = await memberWith(guild_id, ADMINISTRATOR);
    for (const account of [owner, manager, administrator])
      expect(await authorize(account, general)).toEqual({ guild_id, reason: null });
    for (const account of [plain, allElse, (await addGuild(fixture)).owner])
      expect(await outcomeOf(account, general)).toBe('FORBIDDEN');
  });

  test.each([
    ['VIEW_CHANNEL', VIEW_CHANNEL],
    ['MANAGE_WEBHOOKS', MANAGE_WEBHOOKS],
  ])('requires %s there: an overwrite takes it away', async (_, deny) => {
    const { guild_id, general, manager } = await addGuildWithManager();
    await addOverwrite(fixture, general, { id: manager, type: 1, deny });
    expect(await outcomeOf(manager, general)).toBe('FORBIDDEN');
    expect(await outcomeOf(manager, await addChannel(fixture, guild_id, TEXT))).toBe('authorized');
  });

  test('is not granted by an overwrite alone', async () => {
    const { guild_id, general } = await addGuildWithManager();
    const plain = await addMember(fixture, guild_id);
    await addOverwrite(fixture, general, { id: plain, type: 1, allow: MANAGE_WEBHOOKS });
    expect(await outcomeOf(plain, general)).toBe('FORBIDDEN');
  });

  test.each<[string, bigint, Overwritten, string]>([
    [
      'a role’s allow over everyone’s deny',
      MANAGE_WEBHOOKS,
      { everyone: { deny: VIEW_CHANNEL }, role: { allow: VIEW_CHANNEL } },
      'authorized',
    ],
    [
      'a member’s own allow over a role’s deny',
      MANAGE_WEBHOOKS,
      { role: { deny: MANAGE_WEBHOOKS }, member: { allow: MANAGE_WEBHOOKS } },
      'authorized',
    ],
    ['ADMINISTRATOR, whatever is denied', ADMINISTRATOR, { role: { deny: MANAGE_WEBHOOKS } }, 'authorized'],
    ['ADMINISTRATOR by an overwrite alone', 0n, { member: { allow: ADMINISTRATOR } }, 'FORBIDDEN'],
    [
      'MANAGE_WEBHOOKS denied to @everyone there',
      MANAGE_WEBHOOKS,
      { everyone: { deny: MANAGE_WEBHOOKS } },
      'FORBIDDEN',
    ],
    [
      'VIEW_CHANNEL denied to @everyone there',
      MANAGE_WEBHOOKS,
      { everyone: { deny: VIEW_CHANNEL } },
      'FORBIDDEN',
    ],
  ])('by overwrites, with %s', async (_, permissions, { everyone, role: ofRole, member: own }, outcome) => {
    const { guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    const role = await addRole(fixture, guild_id, permissions, { holder: member });
    if (everyone) await addOverwrite(fixture, general, { id: guild_id, type: 0, ...everyone });
    if (ofRole) await addOverwrite(fixture, general, { id: role, type: 0, ...ofRole });
    if (own) await addOverwrite(fixture, general, { id: member, type: 1, ...own });
    expect(await outcomeOf(member, general)).toBe(outcome);
  });

  test('requires a text or voice channel of a guild', async () => {
    const { guild_id, manager } = await addGuildWithManager();
    expect(await outcomeOf(manager, await addChannel(fixture, guild_id, TEXT))).toBe('authorized');
    expect(await outcomeOf(manager, await addChannel(fixture, guild_id, VOICE))).toBe('authorized');
    expect(await outcomeOf(manager, await addChannel(fixture, guild_id, CATEGORY))).toBe('BAD_REQUEST');
    for (const type of [1, 3])
      expect(await outcomeOf(manager, await addGroupDm(fixture, [manager], type))).toBe('BAD_REQUEST');
    for (const unknown of [newId(), guild_id, '0', 'x', ''])
      expect(await outcomeOf(manager, unknown)).toBe('NOT_FOUND');
  });

  test('of a category is refused for missing permissions first', async () => {
    const { guild_id } = await addGuildWithManager();
    const plain = await addMember(fixture, guild_id);
    expect(await outcomeOf(plain, await addChannel(fixture, guild_id, CATEGORY))).toBe('FORBIDDEN');
  });

  test('requires an account', async () => {
    const { general } = await addGuildWithManager();
    expect(await reasonOf(fixture.chat.authorizeWebhooks({ channel_id: general }, as('')))).toBe(
      'UNAUTHORIZED',
    );
  });
});

describe('a move', () => {
  test('requires the permissions in the channel and the destination, in the same guild', async () => {
    const { guild_id, general, manager } = await addGuildWithManager();
    const voice = await addChannel(fixture, guild_id, VOICE);
    expect(await outcomeOf(manager, general, voice)).toBe('authorized');
    expect(await outcomeOf(manager, general, general)).toBe('authorized');
    for (const deny of [VIEW_CHANNEL, MANAGE_WEBHOOKS]) {
      const closed = await addChannel(fixture, guild_id, TEXT);
      await addOverwrite(fixture, closed, { id: manager, type: 1, deny });
      expect(await outcomeOf(manager, general, closed)).toBe('FORBIDDEN');
      expect(await outcomeOf(manager, closed, general)).toBe('FORBIDDEN');
    }
    const category = await addChannel(fixture, guild_id, CATEGORY);
    const elsewhere = await addGuild(fixture);
    const dm = await addGroupDm(fixture, [manager]);
    for (const wrong of [category, elsewhere.general, dm])
      expect(await outcomeOf(manager, general, wrong)).toBe('BAD_REQUEST');
    for (const unknown of [newId(), 'x', ''])
      expect(await outcomeOf(manager, general, unknown)).toBe('NOT_FOUND');
  });

  test('into another guild is refused even with the permissions in both', async () => {
    const one = await addGuild(fixture);
    const other = await addGuild(fixture);
    await fixture.sql.query('UPDATE guilds SET owner_id = $2 WHERE id = $1', [other.guild_id, one.owner]);
    expect(await outcomeOf(one.owner, one.general, other.general)).toBe('BAD_REQUEST');
  });
});

describe('the reason of a change', () => {
  test('is decoded, and null if it is absent or blank', async () => {
    const { general, manager } = await addGuildWithManager();
    const read = async (reason: string) => (await authorize(manager, general, { reason })).reason;
    expect(await read('old%20%F0%9F%99%82 name ')).toBe('old 🙂 name');
    expect(await read('%20')).toBeNull();
    expect(await read('')).toBeNull();
    expect(await read('%F0%9F%99%82'.repeat(512))).toBe('🙂'.repeat(512));
  });

  test('that is too long or invalid is refused, whatever the permissions', async () => {
    const { general, manager } = await addGuildWithManager();
    const plain = await addMember(fixture, (await addGuildWithManager()).guild_id);
    for (const account of [manager, plain]) {
      for (const reason of ['%', '%ff', '%00'])
        expect(await violationsOf(authorize(account, general, { reason }))).toEqual([
          'X-Audit-Log-Reason INVALID_FORMAT',
        ]);
      const long = await faultOf(authorize(account, general, { reason: 'x'.repeat(513) }));
      expect(long.reason).toBe('INVALID_FORM_BODY');
      expect(long.violations).toMatchObject([{ code: 'STRING_LENGTH_INVALID' }]);
    }
  });
});

describe('the channels of a guild in which an account manages webhooks', () => {
  test('are those where it has both permissions', async () => {
    const { guild_id, general, owner, manager } = await addGuildWithManager();
    const voice = await addChannel(fixture, guild_id, VOICE);
    const hidden = await addChannel(fixture, guild_id, TEXT);
    await addOverwrite(fixture, hidden, { id: manager, type: 1, deny: VIEW_CHANNEL });
    const closed = await addChannel(fixture, guild_id, TEXT);
    await addOverwrite(fixture, closed, { id: manager, type: 1, deny: MANAGE_WEBHOOKS });
    expect((await listed(manager, guild_id)).toSorted()).toEqual([general, voice].sort());
    expect((await listed(owner, guild_id)).toSorted()).toEqual([general, voice, hidden, closed].sort());
  });

  test('require MANAGE_WEBHOOKS in the guild', async () => {
    const { guild_id, general } = await addGuildWithManager();
    const plain = await addMember(fixture, guild_id);
    await addOverwrite(fixture, general, { id: plain, type: 1, allow: MANAGE_WEBHOOKS });
    for (const account of [plain, (await addGuild(fixture)).owner])
      expect(await reasonOf(listed(account, guild_id))).toBe('FORBIDDEN');
    for (const unknown of [newId(), 'x', ''])
      expect(await reasonOf(listed(plain, unknown))).toBe('NOT_FOUND');
  });
});
