import { faultOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { botCaller, IN_TIME, newPerson, settings, whoIs } from '../requests.ts';
import { insertAccessToken } from '../rows.ts';
import { exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_end_account');
});
afterAll(() => service.close());

const newApplication = async (caller: Caller): Promise<string> =>
  (await service.oauth2.createApplication(settings(), { ...IN_TIME, caller })).application?.id ?? '';
const newToken = (application_id: string, { account_id }: Caller) =>
  insertAccessToken(service.db, { application_id, account_id });
const end = ({ account_id }: Caller) => service.oauth2.endAccount({ account_id }, IN_TIME);

describe('a deleted account', () => {
  test('loses its applications, their tokens and its own at every replica, and other accounts lose none', async () => {
    const elsewhere = await service.replica();
    const leaving = await newPerson(service.auth);
    const staying = await newPerson(service.auth);
    const theirs = await newApplication(leaving);
    const others = await newApplication(staying);
    const dead = [
      await newToken(theirs, leaving),
      await newToken(theirs, staying),
      await newToken(others, leaving),
    ];
    const live = await newToken(others, staying);

    await end(leaving);
    for (const { token } of dead) expect(await whoIs(elsewhere, token)).toBeUndefined();
    expect(await whoIs(elsewhere, live.token)).toMatchObject({ account_id: staying.account_id });
    expect(await service.oauth2.listApplications({}, { ...IN_TIME, caller: leaving })).toEqual({
      applications: [],
    });
    const left = await elsewhere.listApplications({}, { ...IN_TIME, caller: staying });
    expect(left.applications.map(({ id }) => id)).toEqual([others]);
    const orphan = { ...IN_TIME, caller: botCaller(theirs) };
    expect(await faultOf(elsewhere.getBotApplication({}, orphan))).toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  test('loses the codes and refresh tokens that it granted, and those of its applications', async () => {
    const leaving = await newClient(service);
    const staying = await newClient(service);
    const granted = { ...staying, person: leaving.owner };
    const held = { ...leaving, person: staying.owner };
    const codes = await Promise.all([granted, held, staying].map((one) => newCode(service.oauth2, one)));
    const pairs = await Promise.all(
      [granted, held, staying].map(async (one) =>
        exchange(service.oauth2, one, await newCode(service.oauth2, one)),
      ),
    );
    await end(leaving.owner);
    const exchanges = [granted, held, staying].flatMap((one, n) => [
      outcomeOf(exchange(service.oauth2, one, codes[n] ?? '')),
      outcomeOf(refresh(service.oauth2, one, pairs[n]?.refresh_token ?? '')),
    ]);
    expect(await Promise.all(exchanges)).toEqual([
      ...['INVALID_GRANT', 'INVALID_GRANT'],
      ...['INVALID_CLIENT', 'INVALID_CLIENT'],
      ...['ok', 'ok'],
    ]);
  });

  test('keeps nothing of concurrent exchanges', async () => {
    const client = await newClient(service);
    const elsewhere = await service.replica();
    for (let round = 0; round < 10; round++) {
      const leaving = { ...client, person: await newPerson(service.auth) };
      const codes = await Promise.all(Array.from({ length: 16 }, () => newCode(service.oauth2, leaving)));
      const pairs = await Promise.all(codes.slice(8).map((code) => exchange(service.oauth2, leaving, code)));
      const outcomes = [
        ...codes.slice(0, 8).map((code) => outcomeOf(exchange(elsewhere, client, code))),
        ...pairs.map(({ refresh_token }) => outcomeOf(refresh(service.oauth2, client, refresh_token))),
      ];
      await end(leaving.person);
      for (const outcome of await Promise.all(outcomes)) expect(['ok', 'INVALID_GRANT']).toContain(outcome);
      const { rows } = await service.db.query(
        `SELECT account_id FROM access_tokens WHERE account_id = $1
         UNION ALL SELECT account_id FROM refresh_tokens WHERE account_id = $1
         UNION ALL SELECT account_id FROM authorization_codes WHERE account_id = $1`,
        [leaving.person.account_id],
      );
      expect(rows).toEqual([]);
    }
  });

  test('does not block revocations by the same account', async () => {
    const client = await newClient(service);
    const elsewhere = await service.replica();
    const { client_id, person } = client;
    for (let round = 0; round < 10; round++) {
      const codes = await Promise.all(Array.from({ length: 32 }, () => newCode(service.oauth2, client)));
      await Promise.all(codes.map((code) => exchange(service.oauth2, client, code)));
      const revocation = { application_ids: [client_id] };
      const revocations = Array.from({ length: 16 }, (_, n) =>
        outcomeOf(
          (n % 2 === 0 ? service.oauth2 : elsewhere).revokeAuthorizations(revocation, {
            ...IN_TIME,
            caller: person,
          }),
        ),
      );
      const outcomes = await Promise.all([...revocations, outcomeOf(end(person)), outcomeOf(end(person))]);
      expect(new Set(outcomes)).toEqual(new Set(['ok']));
      expect(await tokensOf(person)).toBe(0);
    }
  });

  test('can be ended again, as can one without data', async () => {
    const leaving = await newPerson(service.auth);
    await newApplication(leaving);
    await Promise.all(Array.from({ length: 8 }, () => end(leaving)));
    await end(leaving);
    await service.oauth2.endAccount({ account_id: '404' }, IN_TIME);
  });

  test.each(['', '12x', 'a\0b', '9223372036854775808'])(
    'must have a valid ID, unlike %j',
    async (account_id) => {
      expect(await faultOf(service.oauth2.endAccount({ account_id }, IN_TIME))).toMatchObject({
        reason: 'INVALID_FORM_BODY',
        violations: [{ path: 'account_id', code: 'INVALID_SNOWFLAKE_FORMAT' }],
      });
    },
  );

  test('leaves no application that was being created', async () => {
    const leaving = await newPerson(service.auth);
    const making = await service.db.connect();
    try {
      await making.query('BEGIN');
      await making.query(
        "INSERT INTO application_reservations VALUES (700, $1, now() + interval '1 minute')",
        [leaving.account_id],
      );
      await making.query('COMMIT');
      // The last step of CreateApplication, in two statements.
      await making.query('BEGIN');
      await making.query('DELETE FROM application_reservations WHERE id = 700');
      await making.query(
        "INSERT INTO applications (id, owner_id, name, client_secret_hash) VALUES (700, $1, 'Late', $2)",
        [leaving.account_id, Buffer.alloc(32)],
      );
      const ended = end(leaving);
      await untilWaitingForLock(service.db, 1);
      await making.query('COMMIT');
      await ended;
    } finally {
      making.release();
    }
    const { rows } = await service.db.query('SELECT id FROM applications WHERE owner_id = $1', [
      leaving.account_id,
    ]);
    expect(rows).toEqual([]);
  });

  test('with more tokens than one step deletes, while statistics say that the table is empty', async () => {
    await service.db.query('TRUNCATE access_tokens');
    await service.db.query('ALTER TABLE access_tokens SET (autovacuum_enabled = false)');
    onTestFinished(async () => {
      await service.db.query('ALTER TABLE access_tokens RESET (autovacuum_enabled)');
    });
    await service.db.query('VACUUM ANALYZE access_tokens');
    const without = await Promise.all(Array.from({ length: 20 }, () => newPerson(service.auth)));
    await Promise.all(without.map(end));
    const leaving = await newPerson(service.auth);
    const application = await newApplication(leaving);
    await insertMany(application, leaving, 12_000);
    const startedAt = performance.now();
    await end(leaving);
    expect(await tokensOf(leaving)).toBe(0);
    expect(
      performance.now() - startedAt,
      'milliseconds, of the ten seconds that a statement may take',
    ).toBeLessThan(5_000);
  });

  test('while another call deletes some of its tokens, to the last token', async () => {
    const leaving = await newPerson(service.auth);
    const others = await newApplication(await newPerson(service.auth));
    await insertMany(others, leaving, 6_000);
    const faster = await service.db.connect();
    try {
      await faster.query('BEGIN');
      await faster.query(
        `DELETE FROM access_tokens WHERE id IN (
           SELECT id FROM access_tokens WHERE account_id = $1 ORDER BY id LIMIT 5500)`,
        [leaving.account_id],
      );
      const ended = end(leaving);
      await untilWaitingForLock(service.db, 1);
      await faster.query('COMMIT');
      await ended;
    } finally {
      faster.release();
    }
    expect(await tokensOf(leaving)).toBe(0);
  });
});

async function insertMany(application_id: string, { account_id }: Caller, count: number): Promise<void> {
  await service.db.query(
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     SELECT $2::bigint + n, sha256(($2 || '.' || n)::bytea), $1, $2::bigint, '{}', now()
       FROM generate_series(1, $3::int) AS n`,
    [application_id, account_id, count],
  );
}

async function tokensOf({ account_id }: Caller): Promise<number | null> {
  return (await service.db.query('SELECT FROM access_tokens WHERE account_id = $1', [account_id])).rowCount;
}
