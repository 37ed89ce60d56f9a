import { reasonOf } from '@gatehouse/dev-env/faults';
import type { InstallBotRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGroupDm, addGuild, newId } from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { stateOf } from '../support/state.ts';

/** The tables that an installation writes to. */
const TABLES = [
  'guilds',
  'members',
  'roles',
  'member_roles',
  'audit_log_entries',
  'events',
  'channels',
  'channel_recipients',
  'messages',
];

const MOST_WRITES = 100;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_install_bot_failure');
  // The sequence counts written rows, since a rollback does not reset it.
  await fixture.sql.query(`
    CREATE SEQUENCE writes;
    CREATE TABLE injection (at integer, how text);
    INSERT INTO injection VALUES (0, '');
    CREATE FUNCTION inject() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE wanted injection;
    BEGIN
      SELECT * INTO wanted FROM injection;
      IF TG_NAME = 'at_commit' THEN
        IF wanted.at = -1 THEN RAISE 'injected'; END IF;
      ELSIF nextval('writes') = wanted.at THEN
        IF wanted.how = 'end' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RAISE 'injected';
      END IF;
      RETURN NEW;
    END $$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION inject();
  `);
  for (const table of TABLES)
    await fixture.sql.query(
      `CREATE TRIGGER at_write AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION inject()`,
    );
});
afterAll(() => fixture.close());

const injectAt = (at: number, how: string) =>
  fixture.sql.query(
    `WITH fresh AS (SELECT setval('writes', 1, false)) UPDATE injection SET at = $1, how = $2 FROM fresh`,
    [at, how],
  );

const install = (request: Partial<InstallBotRequest>, account: string) =>
  fixture.chat.installBot({ bot_id: newId(), application_name: 'Helper', ...request }, as(account));

const intoGuild = async () => {
  const { guild_id, owner } = await addGuild(fixture);
  return { target: guild_id, account: owner, request: { guild_id, permissions: '2' } };
};
const intoGroupDm = async () => {
  const account = addAccount(fixture);
  const channel_id = await addGroupDm(fixture, [account, newId()]);
  return { target: channel_id, account, request: { channel_id } };
};

describe.each([
  // The member and the count, the role and its assignment, three entries, three events.
  ['a guild', 11, intoGuild],
  // The recipient by account and in the channel, two events, the message with its event.
  ['a group DM', 6, intoGroupDm],
] as const)('an installation into %s', (_, writes, into) => {
  test.each([
    ['fails', 'fail', 'INTERNAL_SERVER_ERROR'],
    ['loses its connection', 'end', 'SERVICE_UNAVAILABLE'],
  ])('that %s at any write leaves nothing and can be repeated', async (_what, how, reason) => {
    await injectAt(0, how);
    const { target, account, request } = await into();
    const before = await stateOf(fixture, target);
    const call = { ...request, bot_id: newId() };
    let at = 1;
    for (; at < MOST_WRITES; at++) {
      await injectAt(at, how);
      const end = await install(call, account).then(
        () => 'installed',
        (error) => error.reason,
      );
      if (end === 'installed') break;
      expect(end, `at write ${at}`).toBe(reason);
      expect(await stateOf(fixture, target), `at write ${at}`).toEqual(before);
    }
    // There is no further write, and the earlier failure has no effect.
    expect(at - 1).toBe(writes);
    expect(await stateOf(fixture, target)).not.toEqual(before);
  });

  test('that cannot answer before its deadline leaves nothing and can be repeated', async () => {
    await injectAt(0, '');
    const { target, account, request } = await into();
    const call = { bot_id: newId(), application_name: 'Helper', ...request };
    const before = await stateOf(fixture, target);
    expect(await reasonOf(fixture.chat.installBot(call, { ...as(account), timeoutMs: 900 }))).toBe(
      'GATEWAY_TIMEOUT',
    );
    expect(await stateOf(fixture, target)).toEqual(before);
    await fixture.chat.installBot(call, as(account));
    expect(await stateOf(fixture, target)).not.toEqual(before);
  });

  test('that fails on commit leaves nothing', async () => {
    await injectAt(0, '');
    const { target, account, request } = await into();
    const before = await stateOf(fixture, target);
    await injectAt(-1, '');
    expect(await reasonOf(install(request, account))).toBe('INTERNAL_SERVER_ERROR');
    expect(await stateOf(fixture, target)).toEqual(before);
  });
});
