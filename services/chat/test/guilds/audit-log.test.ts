import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { ListAuditLogRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditAction } from '../../src/store/audit-log/audit-action.ts';
import type { AuditEntry } from '../../src/store/audit-log/audit-log.ts';
import { insertAuditEntries } from '../../src/store/audit-log/audit-log.ts';
import { type AddedGuild, addAccount, addGuild, addMember, addRole, newId } from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_audit_log');
});
afterAll(() => fixture.close());

/** Writes an entry as a change of the guild would. Returns its ID. */
async function write(guild_id: string, entry: Partial<AuditEntry> = {}): Promise<string> {
  const id = newId();
  await inTransaction(fixture.sql, (tx) =>
    insertAuditEntries(tx, () => id, [
      {
        guild_id,
        action_type: AuditAction.ROLE_UPDATE,
        user_id: newId(),
        reason: null,
        ...entry,
      },
    ]),
  );
  return id;
}

const list = (request: ListAuditLogRequest, account: string) =>
  fixture.chat.listAuditLog(request, as(account));

const idsOf = async ({ guild_id, owner }: AddedGuild, request: Omit<ListAuditLogRequest, 'guild_id'>) =>
  (await list({ guild_id, ...request }, owner)).audit_log_entries.map(({ id }) => id);

describe('an entry', () => {
  test('has the written values and omits the others', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const target_id = newId();
    const bare = await write(guild_id, { action_type: AuditAction.INVITE_CREATE, user_id: owner });
    const full = await write(guild_id, {
      action_type: AuditAction.OVERWRITE_UPDATE,
      user_id: owner,
      target_id,
      reason: 'Because 🙂',
      options: { id: '7', type: '0', role_name: 'Helper' },
      changes: [
        { key: 'allow', old_value: '0', new_value: '1024' },
        { key: 'nick', new_value: 'N' },
        { key: 'hoist', old_value: false },
        { key: '$add', new_value: [{ id: '7', name: 'Helper' }] },
      ],
    });
    expect((await list({ guild_id }, owner)).audit_log_entries).toEqual([
      {
        id: full,
        action_type: 14,
        user_id: owner,
        target_id,
        reason: 'Because 🙂',
        options: '{"id":"7","type":"0","role_name":"Helper"}',
        changes: [
          { key: 'allow', old_value: '"0"', new_value: '"1024"' },
          { key: 'nick', old_value: null, new_value: '"N"' },
          { key: 'hoist', old_value: 'false', new_value: null },
          { key: '$add', old_value: null, new_value: '[{"id":"7","name":"Helper"}]' },
        ],
      },
      {
        id: bare,
        action_type: 40,
        user_id: owner,
        target_id: null,
        reason: null,
        options: null,
        changes: [],
      },
    ]);
  });

  test('is written by an installation, with its reason', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const bot_id = addAccount(fixture, 'bot');
    const request = { bot_id, application_name: 'Helper', guild_id, permissions: '2' };
    await fixture.chat.installBot({ ...request, reason: '%F0%9F%A4%96%20wanted' }, as(owner));
    const { audit_log_entries, users, webhooks } = await list({ guild_id }, owner);
    expect(audit_log_entries.map(({ action_type }) => action_type)).toEqual([25, 30, 28]);
    expect(new Set(audit_log_entries.map(({ reason }) => reason))).toEqual(new Set(['🤖 wanted']));
    expect(users.map(({ id, username }) => [id, username])).toEqual([
      [owner, 'owner'],
      [bot_id, 'bot'],
    ]);
    expect(webhooks).toEqual([]);
  });
});

describe('users', () => {
  test('are the actors and the changed accounts, once each, read in one call', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const targets: string[] = [];
    for (const action_type of [20, 24, 25, 28] as const) {
      const target_id = addAccount(fixture);
      targets.push(target_id);
      await write(guild_id, { action_type, user_id: owner, target_id });
    }
    for (const action_type of [1, 11, 14, 31, 51] as const) {
      await write(guild_id, { action_type, user_id: owner, target_id: addAccount(fixture) });
    }
    fixture.lookups.length = 0;
    const { users } = await list({ guild_id }, owner);
    expect(users.map(({ id }) => id).sort()).toEqual([owner, ...targets].sort());
    expect(fixture.lookups).toEqual([[owner, ...targets].sort()]);
  });

  test('remain after their accounts are deleted', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const gone = newId();
    await write(guild_id, { user_id: gone });
    expect((await list({ guild_id }, owner)).users).toMatchObject([{ id: gone, username: 'Deleted User' }]);
  });
});

describe('pages', () => {
  test('are newest first; before and after continue from any of them', async () => {
    const home = await addGuild(fixture);
    const written: string[] = [];
    for (let count = 0; count < 7; count++) written.unshift(await write(home.guild_id));
    expect(await idsOf(home, {})).toEqual(written);
    expect(await idsOf(home, { limit: 3 })).toEqual(written.slice(0, 3));
    expect(await idsOf(home, { limit: 3, before: written[2] })).toEqual(written.slice(3, 6));
    expect(await idsOf(home, { limit: 3, before: written[6] })).toEqual([]);
    // The next newer entry, still newest first.
    expect(await idsOf(home, { limit: 3, after: written[6] })).toEqual(written.slice(3, 6));
    expect(await idsOf(home, { after: written[0] })).toEqual([]);
    expect(await idsOf(home, { after: '0', limit: 2 })).toEqual(written.slice(5));
    expect(await idsOf(home, { before: written[2], after: written[3] })).toEqual(written.slice(3));
    expect(await idsOf(home, { before: String(2n ** 63n - 1n), limit: 1 })).toEqual(written.slice(0, 1));
  });

  test('have 50 entries, or up to 100', async () => {
    const home = await addGuild(fixture);
    for (let count = 0; count < 120; count++) await write(home.guild_id);
    expect(await idsOf(home, {})).toHaveLength(50);
    expect(await idsOf(home, { limit: 100 })).toHaveLength(100);
  });

  test('return all entries once, with any filters', async () => {
    const home = await addGuild(fixture);
    const [one, two] = [newId(), newId()];
    const written: { id: string; user_id: string; action_type: number }[] = [];
    for (let count = 0; count < 24; count++) {
      const entry = {
        user_id: count % 3 === 0 ? one : two,
        action_type: count % 2 === 0 ? AuditAction.ROLE_CREATE : AuditAction.MEMBER_KICK,
      };
      written.unshift({ id: await write(home.guild_id, entry), ...entry });
    }
    for (const filter of [{}, { user_id: one }, { action_type: 20 }, { user_id: two, action_type: 30 }]) {
      const wanted = written
        .filter((entry) => Object.entries(filter).every(([key, value]) => Reflect.get(entry, key) === value))
        .map(({ id }) => id);
      const downwards: string[] = [];
      for (let page = await idsOf(home, { ...filter, limit: 3 }); page.length > 0; ) {
        downwards.push(...page);
        page = await idsOf(home, { ...filter, limit: 3, before: page.at(-1) });
      }
      expect(downwards).toEqual(wanted);
      const upwards: string[] = [];
      for (let page = await idsOf(home, { ...filter, limit: 3, after: '0' }); page.length > 0; ) {
        upwards.unshift(...page);
        page = await idsOf(home, { ...filter, limit: 3, after: page[0] });
      }
      expect(upwards).toEqual(wanted);
    }
  });

  test('are empty for unknown actions and accounts', async () => {
    const home = await addGuild(fixture);
    await write(home.guild_id);
    for (const action_type of [0, 9999, 32_768, -1, -32_769, 2 ** 31, 2 ** 52, -(2 ** 52)]) {
      expect(await idsOf(home, { action_type })).toEqual([]);
    }
    expect(await idsOf(home, { user_id: newId() })).toEqual([]);
  });

  test('of two guilds are separate', async () => {
    const [one, two] = [await addGuild(fixture), await addGuild(fixture)];
    const user_id = newId();
    const first = await write(one.guild_id, { user_id });
    const second = await write(two.guild_id, { user_id });
    for (const filter of [{}, { user_id }, { action_type: 31 }, { user_id, action_type: 31, after: '0' }]) {
      expect(await idsOf(one, filter)).toEqual([first]);
      expect(await idsOf(two, filter)).toEqual([second]);
    }
    expect(await idsOf(two, { before: second })).toEqual([]);
  });

  test('check limits and IDs before anything is read', async () => {
    const account = addAccount(fixture);
    for (const limit of [0, 101, -1]) {
      expect(await violationsOf(list({ guild_id: newId(), limit }, account))).toEqual([
        'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      ]);
    }
    const ids = { user_id: 'x', before: '', after: '01' };
    expect(await violationsOf(list({ guild_id: newId(), ...ids }, account))).toEqual(
      Object.keys(ids).map((path) => `${path} INVALID_SNOWFLAKE_FORMAT`),
    );
  });
});

test('VIEW_AUDIT_LOG is required, by role, by ADMINISTRATOR or as the owner', async () => {
  const { guild_id, owner } = await addGuild(fixture);
  const [plain, reader, admin] = [
    await addMember(fixture, guild_id),
    await addMember(fixture, guild_id),
    await addMember(fixture, guild_id),
  ];
  await addRole(fixture, guild_id, Permission.VIEW_AUDIT_LOG, { holder: reader });
  await addRole(fixture, guild_id, Permission.ADMINISTRATOR, { holder: admin });
  await write(guild_id);
  for (const account of [owner, reader, admin]) {
    expect((await list({ guild_id }, account)).audit_log_entries).toHaveLength(1);
  }
  expect(await reasonOf(list({ guild_id }, plain))).toBe('MISSING_PERMISSIONS');
  expect(await reasonOf(list({ guild_id }, addAccount(fixture)))).toBe('MISSING_ACCESS');
  expect(await reasonOf(list({ guild_id: newId() }, owner))).toBe('NOT_FOUND');
});
