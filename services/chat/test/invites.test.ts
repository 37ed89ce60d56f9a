import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { CreateInviteRequest, Invite } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AddedGuild,
  addAccount,
  addChannel,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
} from './support/guilds.ts';
import { entriesOf, eventsOf, memberCounts, typesWritten } from './support/log.ts';
import { as } from './support/requests.ts';
import { type ChatFixture, startChat } from './support/start-chat.ts';

let fixture: ChatFixture;
let home: AddedGuild;
beforeAll(async () => {
  fixture = await startChat('chat_invites', 2);
  home = await addGuild(fixture);
});
afterAll(() => fixture.close());

async function invite(request: Partial<CreateInviteRequest> = {}, by = home.owner): Promise<Invite> {
  const { invite } = await fixture.chat.createInvite({ channel_id: home.general, ...request }, as(by));
  if (invite === null) throw new Error('no invite was returned');
  return invite;
}

const accept = (code: string, account: string, replica = 0) =>
  (fixture.replicas[replica] ?? fixture.chat).acceptInvite({ code }, as(account));

describe('creating', () => {
  test('has a code of 12 letters and digits, and lasts a day with unlimited uses', async () => {
    const made = await invite();
    expect(made).toMatchObject({
      code: expect.stringMatching(/^[A-Za-z0-9]{12}$/),
      guild: { id: home.guild_id, name: 'Guild', icon: null, features: [] },
      channel: { id: home.general, name: 'general', type: 0 },
      inviter: { id: home.owner, username: 'owner' },
      uses: 0,
      max_uses: 0,
      max_age: 86_400,
      temporary: false,
    });
    const age = Date.parse(made.expires_at ?? '') - Date.parse(made.created_at);
    expect(age).toBe(86_400_000);
  });

  test('that never expires has no expiry time', async () => {
    expect(await invite({ max_age: 0 })).toMatchObject({ max_age: 0, expires_at: null });
  });

  test('writes an event for members who manage the channel, and an entry without a target', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const reason = 'for%20a%20friend';
    const { code } = await invite({ channel_id: general, max_uses: 3, max_age: 60, reason }, owner);
    expect((await eventsOf(fixture, guild_id)).at(-1)).toEqual({
      type: 'INVITE_CREATE',
      account_ids: null,
      channel_id: general,
      payload: { code, channel_id: general, guild_id },
    });
    expect(await entriesOf(fixture, guild_id)).toEqual([
      {
        action_type: 40,
        user_id: owner,
        target_id: null,
        reason: 'for a friend',
        options: null,
        changes: [
          { key: 'code', new_value: code },
          { key: 'channel_id', new_value: general },
          { key: 'max_uses', new_value: 3 },
          { key: 'max_age', new_value: 60 },
        ],
      },
    ]);
  });

  test('is new for each request', async () => {
    const rules = { max_uses: 5, max_age: 600 };
    expect((await invite(rules)).code).not.toBe((await invite(rules)).code);
  });

  test('requires CREATE_INSTANT_INVITE in the channel', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    await addOverwrite(fixture, general, { id: guild_id, type: 0, deny: Permission.CREATE_INSTANT_INVITE });
    expect(await reasonOf(invite({ channel_id: general }, member))).toBe('MISSING_PERMISSIONS');
  });

  test('requires VIEW_CHANNEL', async () => {
    const stranger = addAccount(fixture);
    expect(await reasonOf(invite({}, stranger))).toBe('MISSING_ACCESS');
    expect(await reasonOf(invite({ channel_id: '1' }))).toBe('NOT_FOUND');
    const { guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    await addOverwrite(fixture, general, { id: guild_id, type: 0, deny: Permission.VIEW_CHANNEL });
    expect(await reasonOf(invite({ channel_id: general }, member))).toBe('MISSING_ACCESS');
  });

  test('is refused for a private channel', async () => {
    const id = await addChannel(fixture, null, 3);
    await fixture.sql.query('UPDATE channels SET recipient_ids = ARRAY[$2::bigint] WHERE id = $1', [
      id,
      home.owner,
    ]);
    expect(await reasonOf(invite({ channel_id: id }))).toBe('BAD_REQUEST');
    expect(await reasonOf(invite({ channel_id: id }, addAccount(fixture)))).toBe('MISSING_ACCESS');
  });

  test.each([
    [{ max_age: -1 }, ['max_age VALUE_MUST_BE_INTEGER_IN_RANGE']],
    [{ max_age: 604_801 }, ['max_age VALUE_MUST_BE_INTEGER_IN_RANGE']],
    [{ max_uses: -1 }, ['max_uses VALUE_MUST_BE_INTEGER_IN_RANGE']],
    [
      { max_age: -1, max_uses: 101 },
      ['max_age VALUE_MUST_BE_INTEGER_IN_RANGE', 'max_uses VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ],
  ])('refuses %o', async (request, violations) => {
    expect(await violationsOf(invite(request))).toEqual(violations);
  });

  test('takes the last of 1,000 slots once, for sixteen concurrent requests at two replicas', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    await fixture.sql.query(
      `INSERT INTO invites (code, guild_id, channel_id, inviter_id, max_uses, max_age)
       SELECT 'full' || to_char(n, 'FM0000'), $1, $2, $3, 0, 0 FROM generate_series(1, 999) AS n`,
      [guild_id, general, owner],
    );
    // An expired invite takes no slot.
    await fixture.sql.query(
      `INSERT INTO invites (code, guild_id, channel_id, inviter_id, max_uses, max_age, expires_at)
       VALUES ('tooOld00', $1, $2, $3, 0, 1, now() - interval '1 second')`,
      [guild_id, general, owner],
    );
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) =>
        (fixture.replicas[n % 2] ?? fixture.chat).createInvite({ channel_id: general }, as(owner)),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOf(invite({ channel_id: general }, owner))).toBe('BAD_REQUEST');
  });
});

describe('reading', () => {
  test('an invite is shown to every account with its code', async () => {
    const made = await invite();
    const { invite: seen } = await fixture.chat.getInvite({ code: made.code }, { timeoutMs: 5_000 });
    expect(seen).toMatchObject({ ...made, guild: { id: home.guild_id } });
  });

  test('a deleted inviter is null', async () => {
    const member = await addMember(fixture, home.guild_id);
    const { code } = await invite({}, member);
    fixture.accounts.delete(member);
    const { invite: seen } = await fixture.chat.getInvite({ code }, as(home.owner));
    expect(seen?.inviter).toBeNull();
  });

  test.each([
    ['unknown', 'AAAAAAAAAAAA'],
    ['empty', ''],
    ['with NUL', 'AAAAAA\0AAAAA'],
    ['of 10,000 characters', 'A'.repeat(10_000)],
    ['with other characters', 'AAAAAA-AAAAA'],
  ])('a code that is %s is UNKNOWN_INVITE everywhere', async (_, code) => {
    const by = as(home.owner);
    expect(await reasonOf(fixture.chat.getInvite({ code }, by))).toBe('UNKNOWN_INVITE');
    expect(await reasonOf(fixture.chat.acceptInvite({ code }, by))).toBe('UNKNOWN_INVITE');
    expect(await reasonOf(fixture.chat.deleteInvite({ code }, by))).toBe('UNKNOWN_INVITE');
  });

  test('a channel’s list is newest first and requires MANAGE_CHANNELS', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const first = await invite({ channel_id: general }, owner);
    const second = await invite({ channel_id: general }, owner);
    const member = await addMember(fixture, guild_id);
    const list = fixture.chat.listInvites({ channel_id: general }, as(member));
    expect(await reasonOf(list)).toBe('MISSING_PERMISSIONS');
    await addRole(fixture, guild_id, Permission.MANAGE_CHANNELS, { holder: member });
    const { invites } = await fixture.chat.listInvites({ channel_id: general }, as(member));
    expect(invites.map(({ code }) => code)).toEqual([second.code, first.code]);
  });
});

describe('accepting', () => {
  test('adds the account, counts the use, and writes events for both', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { code } = await invite({ channel_id: general }, owner);
    const account = addAccount(fixture);
    const { invite: used } = await accept(code, account);
    expect(used).toMatchObject({ code, uses: 1, guild: { member_count: 2 } });
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 2, actual: 2 });
    const { guild } = await fixture.chat.getGuild({ guild_id }, as(account));
    expect(guild?.member_count).toBe(2);
    expect((await eventsOf(fixture, guild_id)).slice(-2)).toEqual([
      {
        type: 'GUILD_MEMBER_ADD',
        account_ids: null,
        channel_id: null,
        payload: {
          guild_id,
          member: expect.objectContaining({ account_id: account, nick: null, role_ids: [] }),
          member_count: 2,
        },
      },
      { type: 'GUILD_CREATE', account_ids: [account], channel_id: null, payload: { guild_id } },
    ]);
  });

  test('by a member counts as no use and writes no event', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { code } = await invite({ channel_id: general, max_uses: 2 }, owner);
    const account = addAccount(fixture);
    await accept(code, account);
    expect(await typesWritten(fixture, guild_id, () => accept(code, account))).toEqual([]);
    const { invite: seen } = await fixture.chat.getInvite({ code }, as(owner));
    expect(seen?.uses).toBe(1);
  });

  test('by one account, sixteen times concurrently at two replicas, counts as one use', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { code } = await invite({ channel_id: general }, owner);
    const account = addAccount(fixture);
    await Promise.all(Array.from({ length: 16 }, (_, n) => accept(code, account, n % 2)));
    const { invite: seen } = await fixture.chat.getInvite({ code }, as(owner));
    expect(seen?.uses).toBe(1);
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 2, actual: 2 });
  });

  test('by sixteen accounts at two replicas, with one use left, lets one account join', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { code } = await invite({ channel_id: general, max_uses: 1 }, owner);
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) => accept(code, addAccount(fixture), n % 2)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 2, actual: 2 });
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['GUILD_MEMBER_ADD', 'GUILD_CREATE', 'INVITE_DELETE']);
    expect(await reasonOf(fixture.chat.getInvite({ code }, as(owner)))).toBe('UNKNOWN_INVITE');
  });

  test('of an expired invite is UNKNOWN_INVITE', async () => {
    const { code } = await invite();
    await fixture.sql.query('UPDATE invites SET expires_at = clock_timestamp() WHERE code = $1', [code]);
    expect(await reasonOf(accept(code, addAccount(fixture)))).toBe('UNKNOWN_INVITE');
    const { invites } = await fixture.chat.listInvites({ channel_id: home.general }, as(home.owner));
    expect(invites.map((one) => one.code)).not.toContain(code);
  });

  test('does not add the account if the inviter cannot be read', async () => {
    const own = await startChat('chat_invites_outage');
    try {
      const { guild_id, general, owner } = await addGuild(own);
      const { invite: made } = await own.chat.createInvite({ channel_id: general }, as(owner));
      const account = addAccount(own);
      await own.stopAuth();
      const joining = own.chat.acceptInvite({ code: made?.code ?? '' }, as(account));
      expect(await reasonOf(joining)).toBe('SERVICE_UNAVAILABLE');
      expect(await memberCounts(own, guild_id)).toEqual({ stored: 1, actual: 1 });
    } finally {
      await own.close();
    }
  });
});

describe('deleting', () => {
  test('the inviter can delete an invite, with event and entry', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    const { code } = await invite({ channel_id: general }, member);
    await fixture.chat.deleteInvite({ code, reason: 'done' }, as(member));
    expect(await reasonOf(fixture.chat.deleteInvite({ code }, as(member)))).toBe('UNKNOWN_INVITE');
    expect((await eventsOf(fixture, guild_id)).at(-1)).toEqual({
      type: 'INVITE_DELETE',
      account_ids: null,
      channel_id: general,
      payload: { code, channel_id: general, guild_id },
    });
    expect((await entriesOf(fixture, guild_id)).at(-1)).toEqual({
      action_type: 42,
      user_id: member,
      target_id: null,
      reason: 'done',
      options: null,
      changes: [
        { key: 'code', old_value: code },
        { key: 'channel_id', old_value: general },
        { key: 'max_uses', old_value: 0 },
        { key: 'max_age', old_value: 86_400 },
      ],
    });
  });

  test('others need MANAGE_CHANNELS in its channel, or MANAGE_GUILD', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const [plain, channels, guild] = await Promise.all([1, 2, 3].map(() => addMember(fixture, guild_id)));
    if (plain === undefined || channels === undefined || guild === undefined)
      throw new Error('three members');
    await addOverwrite(fixture, general, { id: channels, type: 1, allow: Permission.MANAGE_CHANNELS });
    await addRole(fixture, guild_id, Permission.MANAGE_GUILD, { holder: guild });
    const make = async () => (await invite({ channel_id: general }, owner)).code;
    const end = async (by: string) => fixture.chat.deleteInvite({ code: await make() }, as(by));
    expect(await reasonOf(end(plain))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(end(addAccount(fixture)))).toBe('MISSING_ACCESS');
    await end(channels);
    await end(guild);
  });
});

test('an account joins at most 200 guilds, also by concurrent requests of any kind; a member may still accept', async () => {
  const account = addAccount(fixture);
  await fixture.sql.query(
    `WITH guild AS (
       INSERT INTO guilds (id, name, owner_id, member_count) SELECT n, 'g', 1, 1 FROM generate_series(1, 198) AS n
       RETURNING id
     ), everyone AS (
       INSERT INTO roles (id, guild_id, name) SELECT id, id, '@everyone' FROM guild
     )
     INSERT INTO members (guild_id, account_id) SELECT id, $1 FROM guild`,
    [account],
  );
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { general, owner } = await addGuild(fixture);
      return (await invite({ channel_id: general }, owner)).code;
    }),
  );
  const outcomes = await Promise.all(
    codes.flatMap((code, n) => {
      const chat = fixture.replicas[n % 2] ?? fixture.chat;
      return [accept(code, account, n % 2), chat.createGuild({ name: 'one more' }, as(account))].map((call) =>
        call.then(
          () => 'in',
          (error: { reason: string; message: string }) => [error.reason, error.message],
        ),
      );
    }),
  );
  const refusal = ['BAD_REQUEST', 'An account is in at most 200 guilds.'];
  expect(outcomes.filter((outcome) => outcome === 'in')).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome !== 'in')).toEqual(Array(10).fill(refusal));
  const { guilds } = await fixture.chat.listGuilds({}, as(account));
  expect(guilds).toHaveLength(200);
  const { rows } = await fixture.sql.query<{ code: string }>(
    'SELECT code FROM invites JOIN members USING (guild_id) WHERE account_id = $1',
    [account],
  );
  for (const { code } of rows) await accept(code, account);
  await fixture.chat.leaveGuild({ guild_id: '1' }, as(account));
  await fixture.chat.createGuild({ name: 'room again' }, as(account));
});
