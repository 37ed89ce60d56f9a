import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth, tokenOf, whoIs } from '../auth.ts';
import { auditLogOf, type Person, person } from '../factors.ts';

const DAYS = { session_idle_days: 30, session_max_days: 90 };
const SESSION = CallerKind.CALLER_KIND_SESSION;

let service: AuthUnderTest;
let replicas: Auth[];
let off: AuthUnderTest;
beforeAll(async () => {
  // The background job never writes, so that last-used times stay as the tests set them.
  service = await startAuth('auth_session_limits', { config: DAYS, background_every_ms: 3_600_000 });
  replicas = [service.auth, await service.replica()];
  off = await startAuth('auth_session_limits_off');
});
afterAll(() => Promise.all([service.close(), off.close()]));

const login = ({ email, password }: Person, auth = service.auth) => auth.login({ email, password }, IN_TIME);

/** Sessions that were last used this many hours ago: 1, 2, and so on. Their IDs are these hours. */
async function usedBefore({ user_id }: Person, count: number): Promise<void> {
  await service.db.query(
    `INSERT INTO sessions (id, account_id, token_hash, created_at, last_used_at)
     SELECT n, $1, sha256(n::text::bytea), now() - interval '20 days', now() - n * interval '1 hour'
       FROM generate_series(1, $2::int) AS n`,
    [user_id, count],
  );
}

async function idsOf({ user_id }: Person): Promise<string[]> {
  const { rows } = await service.db.query<{ id: string }>(
    'SELECT id FROM sessions WHERE account_id = $1 ORDER BY id',
    [user_id],
  );
  return rows.map(({ id }) => id);
}

describe('an account with 200 sessions', () => {
  test('loses the least recently used at the next login, with an entry in the audit log', async () => {
    const someone = await person(service.auth); // with a session that is still unused
    await usedBefore(someone, 199);
    // Used again.
    await service.db.query('UPDATE sessions SET last_used_at = now() WHERE id = 199');
    await login(someone);
    const ids = await idsOf(someone);
    expect(ids).toHaveLength(200);
    expect(ids).not.toContain('198');
    expect(ids).toEqual(expect.arrayContaining(['197', '199', someone.caller.credential_id]));
    expect(await auditLogOf(service, someone.user_id)).toEqual([
      'account.registered',
      'login',
      'sessions.ended',
    ]);
    await service.db.query('DELETE FROM sessions');
  });

  test('keeps 200, after 32 concurrent logins at two replicas from 199', async () => {
    const someone = await person(service.auth);
    await usedBefore(someone, 198);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => login(someone, replicas[index % 2])),
    );
    const ids = await idsOf(someone);
    expect(ids).toHaveLength(200);
    for (const answer of answers)
      expect(await whoIs(service.auth, SESSION, tokenOf(answer))).toBe(someone.user_id);
    // The most recently used ones are left.
    expect(ids.slice(0, 167)).toEqual(Array.from({ length: 167 }, (_, index) => String(index + 1)));
    await service.db.query('DELETE FROM sessions');
  });

  test('or more loses all over the limit at the next login', async () => {
    const someone = await person(service.auth);
    await usedBefore(someone, 300);
    await login(someone);
    expect(await idsOf(someone)).toHaveLength(200);
    await service.db.query('DELETE FROM sessions');
  });

  test('loses an expired one first', async () => {
    const someone = await person(service.auth);
    await usedBefore(someone, 199);
    await service.db.query("UPDATE sessions SET created_at = now() - interval '91 days' WHERE id = 1");
    await login(someone);
    const ids = await idsOf(someone);
    expect(ids).not.toContain('1');
    expect(ids).toContain('199');
    await service.db.query('DELETE FROM sessions');
  });
});

describe('a session', () => {
  /** A second more, because the columns round to milliseconds, possibly up. */
  const aged = (id: string, made: string, used: string | null) =>
    service.db.query(
      `UPDATE sessions SET created_at = now() - $2::interval - interval '1 s',
                           last_used_at = now() - $3::interval - interval '1 s' WHERE id = $1`,
      [id, made, used],
    );

  test.each([
    ['last used this many days ago', '80 days', '30 days'],
    ['never used and opened this many days ago', '30 days', null],
    ['that is too old, however often it is used', '90 days', '0 days'],
  ])('%s has ended at once, and is not listed', async (_what, made, used) => {
    const someone = await person(service.auth);
    const token = tokenOf(await login(someone));
    const { credential_id } = someone.caller;
    await aged(credential_id, '89 days', '29 days');
    expect(await whoIs(service.auth, SESSION, someone.token)).toBe(someone.user_id);
    await aged(credential_id, made, used);
    for (const auth of replicas) expect(await whoIs(auth, SESSION, someone.token)).toBeUndefined();
    expect(await whoIs(service.auth, SESSION, token)).toBe(someone.user_id);
    const { sessions } = await service.auth.listSessions({}, { ...IN_TIME, caller: someone.caller });
    expect(sessions).toHaveLength(1);
  });

  test('without settings never expires', async () => {
    const someone = await person(off.auth);
    await off.db.query(
      "UPDATE sessions SET created_at = now() - interval '10 years', last_used_at = now() - interval '9 years'",
    );
    expect(await whoIs(off.auth, SESSION, someone.token)).toBe(someone.user_id);
    const { sessions } = await off.auth.listSessions({}, { ...IN_TIME, caller: someone.caller });
    expect(sessions).toHaveLength(1);
  });
});
