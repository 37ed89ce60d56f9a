import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, startAuth, tokenOf } from '../auth.ts';
import {
  AWAY,
  authorizationMails,
  from,
  heldLogin,
  mailedToken,
  type Person,
  personAtHome,
  sessionCount,
} from './held.ts';

const AT_ONCE = 64;

let service: AuthUnderTest;
let replicas: [Auth, Auth];
beforeAll(async () => {
  service = await startAuth('auth_login_hold_races');
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

/** Repeats a call concurrently at both replicas. Returns the responses, and the violations of the others. */
async function race<T>(call: (auth: Auth) => Promise<T>): Promise<{ won: T[]; lost: string[][] }> {
  const calls = Array.from({ length: AT_ONCE }, (_, index) => call(replicas[index % 2 === 0 ? 0 : 1]));
  const settled = await Promise.allSettled(calls);
  const won = settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  const failed = settled.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  return { won, lost: await Promise.all(failed.map((reason) => violationsOf(Promise.reject(reason)))) };
}

const authorize = (token: string) => service.auth.authorizeIp({ token }, from(AWAY));

test('of 64 concurrent polls at two replicas one gets the session', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  await authorize(await mailedToken(service, person));

  const { won, lost } = await race((auth) => auth.pollIpAuthorization({ ticket }, from(AWAY)));
  expect(won).toHaveLength(1);
  expect(won.map(tokenOf)).toEqual([expect.stringMatching(/^gth_/)]);
  expect(lost).toEqual(Array(AT_ONCE - 1).fill(['ticket INVALID_OR_EXPIRED_TICKET']));
  expect(await sessionCount(service, person)).toBe(2);
});

test('of 64 concurrent authorizations at two replicas one counts', async () => {
  const person = await personAtHome(service.auth);
  await heldLogin(service.auth, person);
  const token = await mailedToken(service, person);
  const { won, lost } = await race((auth) => auth.authorizeIp({ token }, from(AWAY)));
  expect(won).toHaveLength(1);
  expect(lost).toEqual(Array(AT_ONCE - 1).fill(['token INVALID_OR_EXPIRED_TOKEN']));
  const { rowCount } = await service.db.query(
    "SELECT FROM security_events WHERE account_id = $1 AND kind = 'login.authorized'",
    [person.user_id],
  );
  expect(rowCount).toBe(1);
});

test('of 64 concurrent resends at two replicas one sends a mail', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  await authorizationMails(service, person);
  await service.db.query(
    "UPDATE held_logins SET created_at = created_at - interval '30 seconds' WHERE account_id = $1",
    [person.user_id],
  );
  const calls = Array.from({ length: AT_ONCE }, (_, index) =>
    replicas[index % 2 === 0 ? 0 : 1].resendIpAuthorization({ ticket }, from(AWAY)).then(
      () => 'mailed',
      (error: unknown) => faultOf(Promise.reject(error)).then(({ reason }) => reason),
    ),
  );
  const answers = (await Promise.all(calls)).sort();
  expect(answers).toEqual([...Array(AT_ONCE - 1).fill('BAD_REQUEST'), 'mailed']);
  await authorizationMails(service, person, 2);
  const { rows } = await service.db.query(
    'SELECT cardinality(token_hashes) AS tokens FROM held_logins WHERE account_id = $1',
    [person.user_id],
  );
  expect(rows).toEqual([{ tokens: 2 }]);
});

test('only the newest five logins of an account are held, however many are concurrent', async () => {
  const person = await personAtHome(service.auth);
  const oldest = await heldLogin(service.auth, person);
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => heldLogin(replicas[index % 2 === 0 ? 0 : 1], person)),
  );
  const { rowCount } = await service.db.query('SELECT FROM held_logins WHERE account_id = $1', [
    person.user_id,
  ]);
  expect(rowCount).toBe(5);
  const { ticket } = oldest;
  expect(await violationsOf(service.auth.pollIpAuthorization({ ticket }, from(AWAY)))).toEqual([
    'ticket INVALID_OR_EXPIRED_TICKET',
  ]);
});

test('only the newest five logins are held if all begin before the first ends', async () => {
  const person = await personAtHome(service.auth);
  const { rows } = await whileBlocked(
    'LOCK TABLE security_events IN EXCLUSIVE MODE',
    () => Array.from({ length: 7 }, (_, index) => heldLogin(replicas[index % 2 === 0 ? 0 : 1], person)),
    `SELECT count(*)::int AS held FROM held_logins WHERE account_id = ${person.user_id}`,
  );
  expect(rows).toEqual([{ held: 5 }]);
});

/** Starts calls that all wait for the lock, releases them, and then checks. */
async function whileBlocked(lock: string, begin: () => Promise<unknown>[], ask: string) {
  const blocker = await service.db.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query(lock);
    const calls = begin();
    await untilWaitingForLock(blocker, calls.length);
    await blocker.query('COMMIT');
    await Promise.all(calls);
    return await blocker.query(ask);
  } finally {
    blocker.release();
  }
}

test('a poll during a password reset leaves no session', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  await authorize(await mailedToken(service, person));
  await duringReset(person, async () => {
    const attempt = violationsOf(service.auth.pollIpAuthorization({ ticket }, from(AWAY)));
    return async () => expect(await attempt).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
  });
  expect(await sessionCount(service, person)).toBe(0);
});

test('an authorization during a password reset authorizes nothing', async () => {
  const person = await personAtHome(service.auth);
  await heldLogin(service.auth, person);
  const token = await mailedToken(service, person);
  await duringReset(person, async () => {
    const attempt = violationsOf(authorize(token));
    return async () => expect(await attempt).toEqual(['token INVALID_OR_EXPIRED_TOKEN']);
  });
  const { rows } = await service.db.query('SELECT network FROM login_locations WHERE account_id = $1', [
    person.user_id,
  ]);
  expect(rows).not.toContainEqual({ network: AWAY });
});

test('a login during a password reset leaves no held login', async () => {
  const person = await personAtHome(service.auth);
  await duringReset(person, async () => {
    const attempt = violationsOf(service.auth.login(person, from(AWAY)));
    return async () => expect(await attempt).toContain('password INVALID_EMAIL_OR_PASSWORD');
  });
  const { rowCount } = await service.db.query('SELECT FROM held_logins WHERE account_id = $1', [
    person.user_id,
  ]);
  expect(rowCount).toBe(0);
});

/** Starts a call after a reset has changed the password and before it has ended the sessions. */
async function duringReset({ user_id }: Person, begin: () => Promise<() => Promise<void>>): Promise<void> {
  const reset = await service.db.connect();
  try {
    await reset.query('BEGIN');
    await reset.query(
      `UPDATE accounts SET password_hash = 'another', password_changed_at = now() WHERE id = $1`,
      [user_id],
    );
    const finish = await begin();
    await untilWaitingForLock(reset, 1);
    for (const table of ['sessions', 'held_logins']) {
      await reset.query(`DELETE FROM ${table} WHERE account_id = $1`, [user_id]);
    }
    await reset.query('COMMIT');
    await finish();
  } finally {
    reset.release();
  }
}
