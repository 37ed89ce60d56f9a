import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import {
  addAccount,
  addChannel,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from '../support/guilds.ts';
import { entriesOf, laterEventsOf } from '../support/log.ts';
import { as, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_end_guild', 2);
});
afterAll(() => fixture.close());

describe('a guild that its owner deletes', () => {
  test('is deleted with everything in it, has one event, and its channels are noted as ended', async () => {
    const { guild_id, owner, general } = await addGuild(fixture);
    const { media } = fixture;
    await fixture.chat.updateGuild(
      { guild_id, name: 'New', icon: { value: onePixel('red').toString('base64') } },
      as(owner),
    );
    expect(media.origins.at(-1)).toEqual([owner, guild_id]);
    expect(media.iconOf(guild_id)).not.toBeNull();
    const member = await addMember(fixture, guild_id);
    const role_id = await addRole(fixture, guild_id, 0n, { holder: member });
    const category = await addChannel(fixture, guild_id, 4);
    await fixture.sql.query('UPDATE channels SET parent_id = $1 WHERE id = $2', [category, general]);
    await addOverwrite(fixture, general, { id: role_id, type: 0, deny: Permission.SEND_MESSAGES });
    await fixture.chat.deleteGuild({ guild_id }, as(owner));

    expect(await reasonOf(fixture.chat.getGuild({ guild_id }, as(owner)))).toBe('NOT_FOUND');
    expect(await reasonOf(fixture.chat.getChannel({ channel_id: general }, as(owner)))).toBe('NOT_FOUND');
    expect(await reasonOf(fixture.chat.createMessage(messageOf(general, 'hi'), as(owner)))).toBe('NOT_FOUND');
    expect((await laterEventsOf(fixture, guild_id)).slice(1)).toEqual([
      { type: 'GUILD_DELETE', account_ids: null, channel_id: null, payload: { guild_id } },
    ]);
    const ended = await fixture.sql.query(
      'SELECT channel_id FROM ended_channels WHERE channel_id = ANY ($1::bigint[]) AND NOT webhooks_ended',
      [[general, category]],
    );
    expect(ended.rows.map(({ channel_id }) => channel_id).sort()).toEqual([general, category].sort());
    for (const table of ['roles', 'members', 'member_roles', 'channels', 'audit_log_entries', 'invites']) {
      const { rowCount } = await fixture.sql.query(`SELECT FROM ${table} WHERE guild_id = $1`, [guild_id]);
      expect(rowCount, table).toBe(0);
    }
    expect(media.iconOf(guild_id)).toBeNull();
  });

  test('is deleted completely or not at all', async () => {
    const { guild_id, owner, general } = await addGuild(fixture);
    await fixture.chat.createRole({ guild_id, name: 'role' }, as(owner));
    const { guild } = await fixture.chat.getGuild({ guild_id }, as(owner));
    await fixture.sql.query('ALTER TABLE events ADD CONSTRAINT broken CHECK (false) NOT VALID');
    try {
      const calls = [
        fixture.chat.deleteGuild({ guild_id }, as(owner)),
        fixture.chat.deleteRole({ guild_id, role_id: guild?.roles[1]?.id ?? '' }, as(owner)),
        fixture.chat.createRole({ guild_id }, as(owner)),
        fixture.chat.updateGuild({ guild_id, icon: null, name: 'New' }, as(owner)),
      ];
      expect(await Promise.all(calls.map(reasonOf))).toEqual(Array(4).fill('INTERNAL_SERVER_ERROR'));
    } finally {
      await fixture.sql.query('ALTER TABLE events DROP CONSTRAINT broken');
    }
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild).toEqual(guild);
    expect((await fixture.chat.getChannel({ channel_id: general }, as(owner))).channel?.id).toBe(general);
    expect(await entriesOf(fixture, guild_id)).toHaveLength(1);
    const { rowCount } = await fixture.sql.query('SELECT FROM ended_channels WHERE channel_id = $1', [
      general,
    ]);
    expect(rowCount).toBe(0);
  });

  test('can be deleted only by its owner: NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const administrator = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.ADMINISTRATOR, { holder: administrator });
    const end = (id: string, account: string) =>
      reasonOf(fixture.chat.deleteGuild({ guild_id: id }, as(account)));
    expect(await end(guild_id, administrator)).toBe('MISSING_PERMISSIONS');
    expect(await end(guild_id, addAccount(fixture))).toBe('MISSING_ACCESS');
    expect(await end(newId(), owner)).toBe('NOT_FOUND');
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild?.name).toBe('Guild');
  });

  test('during sixteen concurrent changes at two replicas: each change comes before its end, or is NOT_FOUND', async () => {
    const { guild_id, owner, general } = await addGuild(fixture);
    const outcomes = Array.from({ length: 16 }, (_, n) => {
      const chat = fixture.replicas[n % 2] ?? fixture.chat;
      const options = as(owner);
      const call: Promise<unknown> =
        n === 7
          ? chat.deleteGuild({ guild_id }, options)
          : n % 3 === 0
            ? chat.updateGuild({ guild_id, name: `${n}`, icon: null }, options)
            : n % 3 === 1
              ? chat.createRole({ guild_id, name: `${n}` }, options)
              : chat.createMessage(messageOf(general, `${n}`), options);
      return call.then(
        () => 'done',
        (error) => error.reason as string,
      );
    });
    expect(new Set(await Promise.all(outcomes)).difference(new Set(['done', 'NOT_FOUND']))).toEqual(
      new Set(),
    );
    const events = await laterEventsOf(fixture, guild_id);
    expect(events.at(-1)?.type).toBe('GUILD_DELETE');
    expect(events.filter(({ type }) => type === 'GUILD_DELETE')).toHaveLength(1);
  });
});

describe('a member who leaves a guild', () => {
  test('leaves with its roles, with events for the guild and the account, and without an audit log entry', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, 0n, { holder: member });
    await fixture.chat.leaveGuild({ guild_id }, as(member));

    expect(await reasonOf(fixture.chat.getGuild({ guild_id }, as(member)))).toBe('MISSING_ACCESS');
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild?.member_count).toBe(1);
    expect(await laterEventsOf(fixture, guild_id)).toEqual([
      {
        type: 'GUILD_MEMBER_REMOVE',
        account_ids: null,
        channel_id: null,
        payload: { guild_id, account_id: member, member_count: 1 },
      },
      { type: 'GUILD_DELETE', account_ids: [member], channel_id: null, payload: { guild_id } },
    ]);
    expect(await entriesOf(fixture, guild_id)).toEqual([]);
    const { rowCount } = await fixture.sql.query('SELECT FROM member_roles WHERE account_id = $1', [member]);
    expect(rowCount).toBe(0);
  });

  test('must be a member and not the owner, which is BAD_REQUEST', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const leave = (id: string, account: string) =>
      reasonOf(fixture.chat.leaveGuild({ guild_id: id }, as(account)));
    expect(await leave(guild_id, owner)).toBe('BAD_REQUEST');
    expect(await leave(guild_id, addAccount(fixture))).toBe('MISSING_ACCESS');
    expect(await leave(newId(), owner)).toBe('NOT_FOUND');
    expect(await laterEventsOf(fixture, guild_id)).toEqual([]);
  });

  test('is counted and logged once, for sixteen concurrent requests at two replicas', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    await addMember(fixture, guild_id);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) =>
        (fixture.replicas[n % 2] ?? fixture.chat).leaveGuild({ guild_id }, as(member)),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild?.member_count).toBe(2);
    expect(await laterEventsOf(fixture, guild_id)).toHaveLength(2);
  });
});
