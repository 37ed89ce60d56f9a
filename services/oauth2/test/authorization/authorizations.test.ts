import { faultOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizationLockKey } from '../../src/store/grant-lock.ts';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, whoIs } from '../requests.ts';
import { insertAccessToken } from '../rows.ts';
import { type ClientAndPerson, exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let elsewhere: Oauth2UnderTest['oauth2'];
/** Two applications. */
let clock: ClientAndPerson;
let poll: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_authorizations');
  elsewhere = await fixture.replica();
  clock = await newClient(fixture);
  poll = await newClient(fixture);
});
afterAll(() => fixture.close());

/** The same application with another user. */
const by = (client: ClientAndPerson, { person }: Pick<ClientAndPerson, 'person'>) => ({ ...client, person });
const someone = async () => ({ person: await newPerson(fixture.auth) });
const grant = async (client: ClientAndPerson, scope = 'identify') =>
  exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client, { scope }));
const callOf = ({ person }: Pick<ClientAndPerson, 'person'>) => ({ ...IN_TIME, caller: person });
const list = async (whose: Pick<ClientAndPerson, 'person'>) =>
  (await fixture.oauth2.listAuthorizations({}, callOf(whose))).authorizations;
const revoke = (whose: Pick<ClientAndPerson, 'person'>, application_ids: string[]) =>
  fixture.oauth2.revokeAuthorizations({ application_ids }, callOf(whose));
const lives = async (token: string) => (await whoIs(elsewhere, token)) !== undefined;

describe('the list', () => {
  test('has each application with a live access token, and the scopes of all its live ones', async () => {
    const me = await someone();
    expect(await list(me)).toEqual([]);
    await grant(by(poll, me), 'connections');
    await grant(by(clock, me), 'identify guilds');
    await grant(by(clock, me), 'identify email');
    await grant(by(clock, await someone()), 'bot');
    const listed = await list(me);
    expect(listed.map(({ application }) => application)).toEqual([
      { id: clock.client_id, name: 'Application' },
      { id: poll.client_id, name: 'Application' },
    ]);
    expect(listed.map(({ scopes }) => scopes.toSorted())).toEqual([
      ['email', 'guilds', 'identify'],
      ['connections'],
    ]);
  });

  test('ignores expired access tokens, refresh tokens and codes', async () => {
    const me = await someone();
    await grant(by(clock, me), 'identify');
    await fixture.db.query(
      "UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE account_id = $1",
      [me.person.account_id],
    );
    await newCode(fixture.oauth2, by(poll, me));
    expect(await list(me)).toEqual([]);
    await grant(by(clock, me), 'guilds');
    expect((await list(me)).map(({ scopes }) => scopes)).toEqual([['guilds']]);
  });
});

describe('deleting an authorization', () => {
  test('ends the access tokens at every replica, but no refresh tokens, other applications or users', async () => {
    const me = await someone();
    const mine = await grant(by(clock, me));
    const second = await grant(by(clock, me));
    const other = await grant(by(poll, me));
    const theirs = await grant(by(clock, await someone()));
    await fixture.oauth2.deleteAuthorization({ application_id: clock.client_id }, callOf(me));
    const tokens = [mine, second, other, theirs].map(({ access_token }) => access_token);
    expect(await Promise.all(tokens.map(lives))).toEqual([false, false, true, true]);
    const pair = await refresh(fixture.oauth2, clock, mine.refresh_token);
    expect(await lives(pair.access_token)).toBe(true);
  });

  test('succeeds without a grant, and for an application that does not exist', async () => {
    const me = await someone();
    for (const application_id of [clock.client_id, '404', '0', '9223372036854775807'])
      await fixture.oauth2.deleteAuthorization({ application_id }, callOf(me));
  });

  test.each(['', '0x1', '01', '9223372036854775808'])(
    'requires a valid ID, unlike %j',
    async (application_id) => {
      const call = fixture.oauth2.deleteAuthorization({ application_id }, callOf(clock));
      expect(await faultOf(call)).toMatchObject({
        reason: 'INVALID_FORM_BODY',
        violations: [{ path: 'application_id', code: 'INVALID_SNOWFLAKE_FORMAT' }],
      });
    },
  );
});

describe('revoking several', () => {
  test('ends access and refresh tokens of each, named once or more, and of no other user', async () => {
    const me = await someone();
    const mine = [await grant(by(clock, me)), await grant(by(poll, me))];
    const theirs = await grant(by(clock, await someone()));
    await revoke(me, [clock.client_id, poll.client_id, clock.client_id]);
    for (const { access_token } of [...mine]) expect(await lives(access_token)).toBe(false);
    const outcomes = mine.map((pair, n) =>
      outcomeOf(refresh(elsewhere, n === 0 ? clock : poll, pair.refresh_token)),
    );
    expect(await Promise.all(outcomes)).toEqual(['INVALID_GRANT', 'INVALID_GRANT']);
    expect(await lives(theirs.access_token)).toBe(true);
    expect(await outcomeOf(refresh(elsewhere, clock, theirs.refresh_token))).toBe('ok');
  });

  test('with one unknown application deletes nothing', async () => {
    const me = await someone();
    const mine = await grant(by(clock, me));
    const fault = await faultOf(revoke(me, [clock.client_id, '404']));
    expect(fault).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
    expect(await lives(mine.access_token)).toBe(true);
    expect(await outcomeOf(refresh(fixture.oauth2, clock, mine.refresh_token))).toBe('ok');
  });

  test('accepts at most 1,000 IDs, and an empty list', async () => {
    await revoke(clock, []);
    await revoke(
      clock,
      Array.from({ length: 1_000 }, () => clock.client_id),
    );
    const fault = await faultOf(
      revoke(
        clock,
        Array.from({ length: 1_001 }, () => clock.client_id),
      ),
    );
    expect(fault).toMatchObject({
      reason: 'INVALID_FORM_BODY',
      violations: [{ path: 'application_ids', code: 'INVALID_FORMAT' }],
    });
    const malformed = await faultOf(revoke(clock, [clock.client_id, '1x', '02']));
    expect(malformed).toMatchObject({
      violations: [{ path: 'application_ids.1' }, { path: 'application_ids.2' }],
    });
  });

  test('holds the locks of at most 100 applications at a time', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => String(1_000 + n));
    await fixture.db.query(
      `INSERT INTO applications (id, owner_id, name, client_secret_hash)
       SELECT id, 1, 'Many', sha256('') FROM unnest($1::bigint[]) AS id`,
      [ids],
    );
    const me = await someone();
    const other = await fixture.db.connect();
    try {
      // The last lock of each 100: the revocation waits for it while it holds the others.
      await other.query('BEGIN');
      await other.query(
        `SELECT pg_advisory_xact_lock_shared(key) FROM (
           SELECT max(${authorizationLockKey('$1::bigint', 'id')}) AS key
             FROM unnest($2::bigint[]) WITH ORDINALITY AS given(id, n) GROUP BY (n - 1) / 100) AS keys`,
        [me.person.account_id, ids],
      );
      const revoked = revoke(me, ids);
      await untilWaitingForLock(fixture.db, 1);
      const { rows } = await fixture.db.query<{ held: number }>(
        `SELECT count(*)::int AS held FROM pg_locks
          WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(rows[0]?.held).toBeGreaterThan(0);
      expect(rows[0]?.held).toBeLessThan(100);
      await other.query('COMMIT');
      await revoked;
    } finally {
      other.release();
    }
  });

  test('leaves no token of concurrent refreshes', async () => {
    const me = await someone();
    for (let round = 0; round < 10; round++) {
      const pairs = await Promise.all(Array.from({ length: 16 }, () => grant(by(clock, me))));
      const refreshes = pairs.map((pair, n) =>
        refresh(n % 2 === 0 ? fixture.oauth2 : elsewhere, clock, pair.refresh_token),
      );
      const [revoked] = await Promise.allSettled([
        revoke(me, [poll.client_id, clock.client_id]),
        ...refreshes,
      ]);
      expect(revoked.status).toBe('fulfilled');
      const { rows } = await fixture.db.query(
        `SELECT id FROM access_tokens WHERE account_id = $1
         UNION ALL SELECT id FROM refresh_tokens WHERE account_id = $1`,
        [me.person.account_id],
      );
      expect(rows).toEqual([]);
    }
  });

  test('by many concurrent calls, in any order, succeeds for all', async () => {
    const me = await someone();
    await insertAccessToken(fixture.db, {
      application_id: clock.client_id,
      account_id: me.person.account_id,
    });
    const ids = [clock.client_id, poll.client_id];
    const calls = Array.from({ length: 32 }, (_, n) => {
      const oauth2 = n % 2 === 0 ? fixture.oauth2 : elsewhere;
      const application_ids = n % 3 === 0 ? ids : ids.toReversed();
      return outcomeOf(oauth2.revokeAuthorizations({ application_ids }, callOf(me)));
    });
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']));
  });
});

test('authorizations require an account', async () => {
  const nobody = { ...IN_TIME, caller: anonymous };
  const { oauth2 } = fixture;
  const calls = [
    oauth2.listAuthorizations({}, nobody),
    oauth2.deleteAuthorization({ application_id: '1' }, nobody),
    oauth2.revokeAuthorizations({ application_ids: [] }, nobody),
  ];
  for (const call of calls) expect(await faultOf(call)).toMatchObject({ reason: 'UNAUTHORIZED' });
});

test('the metadata of this server is public', async () => {
  const metadata = await fixture.oauth2.getServerMetadata({}, IN_TIME);
  expect(metadata).toMatchObject({
    issuer: 'https://api.test',
    token_endpoint: 'https://api.test/api/v1/oauth2/token',
  });
});
