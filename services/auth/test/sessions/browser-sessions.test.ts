import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Auth,
  type AuthUnderTest,
  IN_TIME,
  registered,
  sessionCaller,
  startAuth,
  tokenOf,
} from '../auth.ts';
import { everyRow } from '../every-row.ts';

let service: AuthUnderTest;
let elsewhere: Auth;
beforeAll(async () => {
  service = await startAuth('auth_browser_sessions', {
    config: { login_location_check: false, session_idle_days: 30 },
  });
  elsewhere = await service.replica();
});
afterAll(() => service.close());

interface Device {
  readonly token: string;
  readonly caller: Caller;
}

/** Sets a cookie of a session, and returns its secret. */
async function cookieOf({ token, caller }: Device, stay_signed_in?: boolean): Promise<string> {
  const options = { ...IN_TIME, caller };
  const { cookie } = await service.auth.createBrowserSession({ token, stay_signed_in }, options);
  return cookie?.secret ?? '';
}

async function logIn(email: string): Promise<Device> {
  const token = tokenOf(await service.auth.login({ email, password: 'correct horse battery' }, IN_TIME));
  return { token, caller: await sessionCaller(service.auth, token) };
}

const resume = (secret: string, at = elsewhere) => at.resumeBrowserSession({ secret }, IN_TIME);
const who = async (secret: string, at = elsewhere) =>
  (await at.identifyBrowserSession({ secret }, IN_TIME)).identity?.credential_id;

/** Whether a cookie is live, by both RPCs that read it. */
async function isLive(secret: string): Promise<boolean> {
  const [session, resumed] = await Promise.all([
    who(secret),
    resume(secret).then(
      () => true,
      () => false,
    ),
  ]);
  expect(session !== undefined).toBe(resumed);
  return resumed;
}

async function expectDead(secret: string): Promise<void> {
  expect(await who(secret)).toBeUndefined();
  expect(await faultOf(resume(secret))).toMatchObject({ reason: 'UNAUTHORIZED' });
}

describe('a sign-in cookie', () => {
  test('gives its session back, at every replica', async () => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { token, user_id, user } = person;
    expect(await resume(secret)).toMatchObject({ session: { token, user_id, user } });
    expect(await who(secret)).toBe(person.caller.credential_id);
  });

  test('has a maximum age, renewed by each resumption, only if the user stays signed in', async () => {
    const person = await registered(service.auth);
    const options = { ...IN_TIME, caller: person.caller };
    const ninetyDays = 90 * 24 * 60 * 60;
    const { cookie } = await service.auth.createBrowserSession(
      { token: person.token, stay_signed_in: true },
      options,
    );
    expect(cookie?.max_age_seconds).toBe(ninetyDays);
    const secret = cookie?.secret ?? '';
    await service.db.query(`UPDATE browser_sessions SET expires_at = now() + interval '1 hour'`);
    expect(await resume(secret)).toMatchObject({ cookie: { secret, max_age_seconds: ninetyDays } });
    const { rows } = await service.db.query(
      `SELECT expires_at > now() + interval '89 days' AS renewed FROM browser_sessions
        WHERE session_id = $1`,
      [person.caller.credential_id],
    );
    expect(rows).toEqual([{ renewed: true }]);

    const dropped = await service.auth.createBrowserSession({ token: person.token }, options);
    expect(dropped.cookie?.max_age_seconds ?? null).toBeNull();
    expect((await resume(dropped.cookie?.secret ?? '')).cookie ?? null).toBeNull();
  });

  test('is in the database as a hash only, and so is the token of its session', async () => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person, true);
    const rows = await everyRow(service.db);
    for (const text of [secret, person.token]) {
      expect(rows).not.toContain(text);
      expect(rows).not.toContain(Buffer.from(text).toString('hex'));
    }
  });

  test('cannot be made for another session’s token, nor without a session', async () => {
    const person = await registered(service.auth);
    const other = await registered(service.auth);
    const make = (token: string, caller: Caller) =>
      faultOf(service.auth.createBrowserSession({ token }, { ...IN_TIME, caller }));
    const unauthorized = { reason: 'UNAUTHORIZED' };
    expect(await make(other.token, person.caller)).toMatchObject(unauthorized);
    expect(await make('', person.caller)).toMatchObject(unauthorized);
    expect(await make(person.token, anonymous)).toMatchObject(unauthorized);
    const bot = { ...person.caller, kind: CallerKind.CALLER_KIND_BOT };
    expect(await make(person.token, bot)).toMatchObject(unauthorized);
  });

  test.each([
    ['unknown', 'A'.repeat(43)],
    ['empty', ''],
    ['too long', 'A'.repeat(44)],
    ['of other characters', `${'A'.repeat(42)}=`],
    ['a session’s token', `gth_${'a'.repeat(36)}`],
  ])('is refused when it is %s', async (_, secret) => {
    await expectDead(secret);
  });

  test('is refused after its time', async () => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person);
    await service.db.query('UPDATE browser_sessions SET expires_at = now() WHERE session_id = $1', [
      person.caller.credential_id,
    ]);
    await expectDead(secret);
  });
});

describe('a session has at most five cookies', () => {
  test('and a new one ends the oldest', async () => {
    const person = await registered(service.auth);
    const secrets: string[] = [];
    while (secrets.length < 7) secrets.push(await cookieOf(person));
    const live = await Promise.all(secrets.map(isLive));
    expect(live).toEqual([false, false, true, true, true, true, true]);
  });

  test('however many are made at once, at two replicas', async () => {
    const person = await registered(service.auth);
    const options = { ...IN_TIME, caller: person.caller };
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, turn) =>
        (turn % 2 === 0 ? service.auth : elsewhere).createBrowserSession({ token: person.token }, options),
      ),
    );
    const live = await Promise.all(made.map(({ cookie }) => isLive(cookie?.secret ?? '')));
    expect(live.filter(Boolean)).toHaveLength(5);
  });
});

describe('a cookie ends with its session', () => {
  type Ending = (person: Awaited<ReturnType<typeof registered>>) => Promise<unknown>;
  const proof = { password: 'correct horse battery' };
  test.each<[string, Ending]>([
    ['by logout', ({ caller }) => service.auth.logout({}, { ...IN_TIME, caller })],
    [
      'by “all sessions”',
      ({ caller }) => service.auth.endSessions({ session_id_hashes: [], all: true }, { ...IN_TIME, caller }),
    ],
    [
      'by “other sessions” of another one',
      async ({ user }) => {
        const { caller } = await logIn(user?.email ?? '');
        await service.auth.endSessions({ session_id_hashes: [], others: true }, { ...IN_TIME, caller });
      },
    ],
    [
      'by the account’s deletion',
      ({ caller }) => service.auth.deleteCurrentUser(proof, { ...IN_TIME, caller }),
    ],
    [
      'by its idle time',
      ({ caller }) =>
        service.db.query(`UPDATE sessions SET last_used_at = now() - interval '31 days' WHERE id = $1`, [
          caller.credential_id,
        ]),
    ],
    [
      'to make room for the 201st',
      async ({ user_id, user }) => {
        await service.db.query(
          `INSERT INTO sessions (id, account_id, token_hash, last_used_at)
           SELECT 1000 + n, $1, sha256(n::text::bytea), now() + n * interval '1 s'
             FROM generate_series(1, 199) AS n`,
          [user_id],
        );
        await logIn(user?.email ?? '');
      },
    ],
  ])('%s', async (_, end) => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person, true);
    expect(await isLive(secret)).toBe(true);
    await end(person);
    await expectDead(secret);
  });

  test('and not with another session of the account', async () => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person);
    const { caller } = await logIn(person.user?.email ?? '');
    await service.auth.logout({}, { ...IN_TIME, caller });
    expect(await isLive(secret)).toBe(true);
  });

  test('while many resume: none gets the session after the logout was answered', async () => {
    const person = await registered(service.auth);
    const secrets = await Promise.all([cookieOf(person), cookieOf(person, true)]);
    let isOver = false;
    const late: string[] = [];
    const callers = secrets.flatMap((secret) =>
      [service.auth, elsewhere].map(async (at) => {
        for (let calls = 0; calls < 40; calls++) {
          const beganLate = isOver;
          const [resumed, session] = await Promise.all([
            resume(secret, at).catch(() => undefined),
            who(secret, at),
          ]);
          if (beganLate && (resumed !== undefined || session !== undefined)) late.push(secret);
        }
      }),
    );
    await service.auth.logout({}, { ...IN_TIME, caller: person.caller });
    isOver = true;
    await Promise.all(callers);
    expect(late).toEqual([]);
    for (const secret of secrets) await expectDead(secret);
  });
});

describe('EndBrowserSession', () => {
  test('ends all cookies of the session, and leaves the session', async () => {
    const person = await registered(service.auth);
    const secrets = [await cookieOf(person), await cookieOf(person, true)];
    const other = await logIn(person.user?.email ?? '');
    const kept = await cookieOf(other);
    await service.auth.endBrowserSession({}, { ...IN_TIME, caller: person.caller });
    for (const secret of secrets) await expectDead(secret);
    expect(await isLive(kept)).toBe(true);
    expect(await sessionCaller(service.auth, person.token)).toEqual(person.caller);
  });

  test('does nothing without a session, and none after its end', async () => {
    const person = await registered(service.auth);
    const secret = await cookieOf(person);
    expect(await service.auth.endBrowserSession({}, IN_TIME)).toEqual({});
    expect(await isLive(secret)).toBe(true);
    await service.auth.logout({}, { ...IN_TIME, caller: person.caller });
    expect(await service.auth.endBrowserSession({}, { ...IN_TIME, caller: person.caller })).toEqual({});
  });
});
