import {
  ALL_PERMISSIONS,
  DEFAULT_EVERYONE_PERMISSIONS,
  Permission,
  PRIVATE_PERMISSIONS,
} from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { PermissionsQuery } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addAccount,
  addChannel,
  addGroupDm,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from './guilds.ts';
import { type Suite, startSuite } from './harness.ts';
import { internally } from './requests.ts';

const { ADMINISTRATOR, KICK_MEMBERS, SEND_MESSAGES, VIEW_CHANNEL } = Permission;
const BASE = DEFAULT_EVERYONE_PERMISSIONS;

let suite: Suite;
beforeAll(async () => {
  suite = await startSuite('chat_get_permissions');
});
afterAll(() => suite.close());

const ask = async (...queries: PermissionsQuery[]) =>
  (await suite.chat.getPermissions({ queries }, internally)).answers;

test('each query has its answer, in order: guilds and channels, members and others, in one call', async () => {
  const { owner, guild_id, general } = await addGuild(suite);
  const other = await addGuild(suite);
  const [admin, kicker, outsider] = [
    await addMember(suite, guild_id),
    await addMember(suite, guild_id),
    addAccount(suite),
  ];
  await addRole(suite, guild_id, ADMINISTRATOR, { holder: admin });
  const role = await addRole(suite, guild_id, KICK_MEMBERS, { holder: kicker });
  const hidden = await addChannel(suite, guild_id, 2);
  await addOverwrite(suite, hidden, { id: guild_id, type: 0, deny: VIEW_CHANNEL | SEND_MESSAGES });
  await addOverwrite(suite, hidden, { id: role, type: 0, allow: VIEW_CHANNEL });
  await addOverwrite(suite, hidden, {
    id: await addRole(suite, guild_id, 0n),
    type: 0,
    allow: ADMINISTRATOR,
  });
  await addOverwrite(suite, hidden, { id: outsider, type: 1, allow: ADMINISTRATOR });

  const of = (account_id: string, permissions: bigint, place: object, is_member = true) => ({
    query: { account_id, ...place },
    answer: { exists: true, is_member, permissions: String(permissions) },
  });
  const cases = [
    of(owner, ALL_PERMISSIONS, { guild_id }),
    of(kicker, BASE | KICK_MEMBERS, { guild_id }),
    of(kicker, (BASE | KICK_MEMBERS) & ~SEND_MESSAGES, { channel_id: hidden }),
    of(kicker, BASE | KICK_MEMBERS, { channel_id: general }),
    of(owner, 0n, { guild_id: other.guild_id }, false),
    of(owner, 0n, { channel_id: other.general }, false),
    of(admin, ALL_PERMISSIONS, { channel_id: hidden }),
    of(outsider, 0n, { channel_id: hidden }, false),
    of(owner, ALL_PERMISSIONS, { guild_id }),
  ];
  const answers = await ask(...cases.map(({ query }) => query));
  expect(answers).toMatchObject(cases.map(({ answer }) => answer));
  expect(answers.slice(0, 3)).toMatchObject([
    { guild_id, channel_type: null },
    { guild_id, channel_type: null },
    { guild_id, channel_type: 2 },
  ]);
});

test('an overwrite of one’s own counts in its channel alone', async () => {
  const { guild_id, general } = await addGuild(suite);
  const member = await addMember(suite, guild_id);
  const elsewhere = await addChannel(suite, guild_id, 0);
  await addOverwrite(suite, general, { id: member, type: 1, allow: KICK_MEMBERS, deny: SEND_MESSAGES });
  expect(
    await ask({ account_id: member, channel_id: general }, { account_id: member, channel_id: elsewhere }),
  ).toMatchObject([
    { permissions: String((BASE | KICK_MEMBERS) & ~SEND_MESSAGES) },
    { permissions: String(BASE) },
  ]);
});

test('who is in a private channel may do there what all in it may; others nothing', async () => {
  const [one, two] = [addAccount(suite), addAccount(suite)];
  for (const type of [1, 3]) {
    const channel_id = await addGroupDm(suite, [one, two], type);
    const place = { exists: true, guild_id: null, channel_type: type };
    expect(await ask({ account_id: two, channel_id }, { account_id: addAccount(suite), channel_id })).toEqual(
      [
        { ...place, is_member: true, permissions: String(PRIVATE_PERMISSIONS) },
        { ...place, is_member: false, permissions: '0' },
      ],
    );
  }
});

test('a guild or a channel that is unknown does not exist', async () => {
  const { owner, guild_id, general } = await addGuild(suite);
  const nothing = { exists: false, guild_id: null, channel_type: null, is_member: false, permissions: '0' };
  expect(
    await ask(
      { account_id: owner, guild_id: newId() },
      { account_id: owner, channel_id: newId() },
      { account_id: owner, guild_id: general },
      { account_id: owner, channel_id: guild_id },
    ),
  ).toEqual([nothing, nothing, nothing, nothing]);
});

test('a thousand queries are answered, and no more', async () => {
  const { owner, guild_id, general } = await addGuild(suite);
  const queries = Array.from({ length: 1000 }, (_, index) =>
    index % 2 === 0 ? { account_id: owner, guild_id } : { account_id: newId(), channel_id: general },
  );
  const answers = await ask(...queries);
  expect(answers.map(({ is_member }) => is_member)).toEqual(queries.map((_, index) => index % 2 === 0));
  expect(await reasonOf(ask(...queries, { account_id: owner, guild_id }))).toBe('BAD_REQUEST');
  expect(await ask()).toEqual([]);
});

test('a query names one place, by IDs', async () => {
  const { owner, guild_id, general } = await addGuild(suite);
  const good = { account_id: owner, guild_id };
  for (const bad of [{ account_id: owner }, { account_id: owner, guild_id, channel_id: general }]) {
    expect(await reasonOf(ask(good, bad))).toBe('BAD_REQUEST');
  }
  expect(
    await violationsOf(ask(good, { account_id: '', guild_id: '0x1' }, { account_id: owner, channel_id: '' })),
  ).toEqual([
    'queries.1.account_id INVALID_SNOWFLAKE_FORMAT',
    'queries.1.guild_id INVALID_SNOWFLAKE_FORMAT',
    'queries.2.channel_id INVALID_SNOWFLAKE_FORMAT',
  ]);
});
