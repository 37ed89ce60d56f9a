import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenHash } from '../../src/sessions/token.ts';
import { type AuthUnderTest, IN_TIME, registered, startAuth, tokenOf } from '../auth.ts';
import { insertUnusablePasskey, personWithTotp } from '../factors.ts';
import { from } from '../login/held.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_admin_find', { config: { login_location_check: false } });
});
afterAll(() => service.close());

const PASSWORD = 'correct horse battery';
const find = async (query: string, page: { before?: string; limit?: number } = {}) =>
  (await service.admin.findAccounts({ query, ids: [], ...page }, IN_TIME)).accounts;
const idsOf = async (query: string, page?: { before?: string; limit?: number }) =>
  (await find(query, page)).map(({ id }) => id);

describe('accounts are found', () => {
  test('by ID, by address in any letter case, and by the start of the user name', async () => {
    const { user_id } = await registered(service.auth, {
      username: 'Grace.Hopper',
      email: 'grace@navy.example',
    });
    for (const query of [user_id, ' GRACE@navy.example ', 'grace', 'GRACE.H', 'Grace.Hopper', 'g']) {
      expect(await idsOf(query), query).toContain(user_id);
    }
    for (const query of ['race', 'grace.hopper1', 'grace@navy', 'graceXhopper', `${user_id}0`])
      expect(await idsOf(query), query).not.toContain(user_id);
    expect(await find('grace@navy.example')).toEqual([
      {
        id: user_id,
        username: 'Grace.Hopper',
        global_name: null,
        email: 'grace@navy.example',
        verified: false,
        bot: false,
        created_at_ms: expect.any(Number),
        suspension: null,
        owner_id: null,
        owner_username: null,
        owner_suspension: null,
      },
    ]);
  });

  test('by the address of a live session, in any of its forms', async () => {
    const { user_id, user } = await registered(service.auth);
    const login = async (ip: string) =>
      tokenOf(await service.auth.login({ email: user?.email ?? '', password: PASSWORD }, from(ip)));
    await login('192.0.2.77');
    await login('2001:db8::77');
    const found = ['192.0.2.77', '::ffff:192.0.2.77', '2001:db8::77', '2001:DB8:0:0::77'];
    for (const query of found) expect(await idsOf(query), query).toEqual([user_id]);
    for (const query of ['192.0.2.7', '2001:db8::7', '::77']) expect(await idsOf(query), query).toEqual([]);
    await service.admin.endAccountSessions({ account_id: user_id, operator: 'ada', reason: 'r' }, IN_TIME);
    for (const query of found) expect(await idsOf(query), query).toEqual([]);
  });

  test('page by page, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++)
      ids.unshift((await registered(service.auth, { username: `paged_${count}` })).user_id);
    expect(await idsOf('paged_')).toEqual(ids);
    expect(await idsOf('paged_', { limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await idsOf('paged_', { limit: 2, before: ids[1] ?? '' })).toEqual(ids.slice(2, 4));
    expect(await idsOf('paged_', { before: ids[4] ?? '' })).toEqual([]);
  });

  test('page by page, once each, if they share an address', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { user_id, user } = await registered(service.auth);
      for (const ip of ['192.0.2.99', '192.0.2.99', '192.0.2.98'])
        await service.auth.login({ email: user?.email ?? '', password: PASSWORD }, from(ip));
      ids.unshift(user_id);
    }
    expect(await idsOf('192.0.2.99')).toEqual(ids);
    expect(await idsOf('192.0.2.99', { limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await idsOf('192.0.2.99', { limit: 2, before: ids[1] ?? '' })).toEqual(ids.slice(2, 4));
    expect(await idsOf('192.0.2.99', { before: ids[4] ?? '' })).toEqual([]);
  });

  test('as bots, with their owners', async () => {
    const { user_id } = await registered(service.auth);
    await service.auth.createBot({ application_id: '8001', name: 'Robot', owner_id: user_id }, IN_TIME);
    expect(await find('8001')).toMatchObject([{ id: '8001', bot: true, owner_id: user_id, email: null }]);
  });

  test('among the first 10,000 user names with a start, so that one letter costs no more', async () => {
    await service.db.query(
      `INSERT INTO accounts (id, username, username_key) SELECT 100000 + n, name, name
         FROM generate_series(1, 10001) AS n, LATERAL (SELECT 'q_' || lpad(n::text, 5, '0') AS name) AS named`,
    );
    expect(await idsOf('q', { limit: 2 })).toEqual(['110000', '109999']);
    expect(await idsOf('q_10001')).toEqual(['110001']);
  });

  test('by indexes, if there are many', async () => {
    const tx = await service.db.connect();
    try {
      await tx.query('BEGIN');
      await tx.query('SET LOCAL enable_seqscan = off');
      for (const where of [
        "accounts WHERE username_key ~>=~ 'gr' AND username_key ~<~ 'gr{' ORDER BY username_key USING ~<~ LIMIT 1",
        "accounts WHERE email_key = 'a@b.example'",
        "sessions WHERE ip = '192.0.2.1' AND account_id < 9 ORDER BY account_id DESC LIMIT 1",
        "sessions WHERE token_hash BETWEEN '\\x00' AND '\\x01'",
      ]) {
        const { rows } = await tx.query(`EXPLAIN SELECT FROM ${where}`);
        expect(JSON.stringify(rows), where).toMatch(/Index/);
        expect(JSON.stringify(rows), where).not.toMatch(/Seq Scan|Sort/);
      }
    } finally {
      await tx.query('ROLLBACK');
      tx.release();
    }
  });
});

describe('a query that no account matches gets an empty list', () => {
  test.each([
    '%',
    '_',
    "'",
    "' OR 1=1 --",
    '\\',
    'a%',
    '"',
    '{',
    '}',
    'ä',
    '🦊',
    '9'.repeat(320),
    '1.2.3.4.5',
  ])('%s', async (query) => {
    await registered(service.auth, { username: `hidden${Date.now()}` });
    expect(await find(query)).toEqual([]);
  });
});

describe('a query is refused', () => {
  test.each([
    ['empty', ''],
    ['blank', '   '],
    ['too long', 'a'.repeat(321)],
    ['10 KB', "'%".repeat(5_000)],
  ])('that is %s', async (_what, query) => {
    expect(await violationsOf(find(query))).toEqual(['query STRING_LENGTH_INVALID']);
  });

  test('with a NUL, or another page than there can be', async () => {
    expect(await violationsOf(find('a\0'))).toEqual(['query INVALID_FORMAT']);
    expect(await violationsOf(find('a', { limit: 0 }))).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
    expect(await violationsOf(find('a', { limit: 101 }))).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
    expect(await violationsOf(find('a', { before: 'x' }))).toEqual(['before INVALID_SNOWFLAKE_FORMAT']);
  });
});

describe('an account', () => {
  test('is shown with sessions, factors, events and bots, without a secret', async () => {
    const someone = await personWithTotp(service.auth);
    const { user_id, email, codes, secret } = someone;
    await insertUnusablePasskey(service, user_id);
    await service.auth.createBot({ application_id: '8101', name: 'One', owner_id: user_id }, IN_TIME);
    await service.auth.createBot({ application_id: '8102', name: 'Two', owner_id: user_id }, IN_TIME);
    const shown = await service.admin.getAccount({ account_id: user_id }, IN_TIME);
    expect(shown).toMatchObject({
      account: { id: user_id, email, bot: false },
      factors: { totp: true, backup_codes: codes.length, passkeys: ['Key'] },
      has_password: true,
    });
    expect(shown.bots.map(({ id, owner_id }) => [id, owner_id])).toEqual([
      ['8102', user_id],
      ['8101', user_id],
    ]);
    expect(shown.sessions).toMatchObject([
      { id: someone.caller.credential_id, fingerprint: tokenHash(someone.token).slice(0, 16) },
    ]);
    expect(shown.security_events.map(({ kind }) => kind)).toEqual([
      'mfa.totp_enabled',
      ...(shown.security_events.length > 2 ? ['sudo.granted'] : []),
      'account.registered',
    ]);
    const text = JSON.stringify(shown);
    for (const hidden of [someone.token, secret, ...codes, PASSWORD]) expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/argon2|[0-9a-f]{64}/);
  });

  test('that is none is unknown', async () => {
    for (const account_id of ['1', 'x', '']) {
      expect(await reasonOf(service.admin.getAccount({ account_id }, IN_TIME))).toBe('UNKNOWN_USER');
    }
  });
});

describe('a credential', () => {
  const credential = async (fingerprint: string) =>
    (await service.admin.findCredential({ fingerprint }, IN_TIME)).credential;

  test('is found by its fingerprint while it is live', async () => {
    const { user_id, token, caller } = await registered(service.auth);
    const fingerprint = tokenHash(token).slice(0, 16);
    const session = { kind: 'session', account_id: user_id, application_id: null };
    expect(await credential(fingerprint)).toEqual(session);
    expect(await credential(fingerprint.toUpperCase())).toEqual(session);
    await service.auth.logout({}, { ...IN_TIME, caller });
    expect(await credential(fingerprint)).toBeNull();
  });

  test('of a bot names the bot, also while its owner is suspended', async () => {
    const { user_id } = await registered(service.auth);
    const { token } = await service.auth.createBot(
      { application_id: '8201', name: 'Robot', owner_id: user_id },
      IN_TIME,
    );
    const fingerprint = tokenHash(token).slice(0, 16);
    const found = { kind: 'bot token', account_id: '8201', application_id: '8201' };
    expect(await credential(fingerprint)).toEqual(found);
    await service.db.query(
      "UPDATE accounts SET suspended_at = now(), suspended_by = 'ada', suspension_reason = 'r' WHERE id = $1",
      [user_id],
    );
    expect(await credential(fingerprint)).toEqual(found);
  });

  test.each([
    '',
    'abc',
    'g'.repeat(16),
    'a'.repeat(15),
    'a'.repeat(17),
    `${'a'.repeat(16)}\n`,
    '%',
    "'".repeat(16),
  ])('is refused for the fingerprint %j', async (fingerprint) => {
    expect(await violationsOf(credential(fingerprint))).toEqual(['fingerprint INVALID_FORMAT']);
  });
});
