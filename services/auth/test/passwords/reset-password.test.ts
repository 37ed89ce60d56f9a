import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import type { ResetPasswordResponse } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth, tokenOf, whoIs } from '../auth.ts';
import { allMails, mailsTo, mailTo } from '../mails.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_reset_password');
});
afterAll(() => service.close());

const OLD = 'correct horse battery';
const NEW = 'a quite different password';
const INVALID = ['token INVALID_OR_EXPIRED_TOKEN'];
const forgot = (email: string) => service.auth.forgotPassword({ email }, IN_TIME);
const reset = (token: string, password = NEW, auth = service.auth) =>
  auth.resetPassword({ token, password }, IN_TIME);
const login = (email: string, password: string) => service.auth.login({ email, password }, IN_TIME);
const valid = async (token: string) => (await service.auth.checkResetToken({ token }, IN_TIME)).valid;
const live = (token: string) => whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, token);

/** A person who has forgotten the password, with the token of the mail. */
async function forgetful() {
  const { email } = newcomer();
  const person = await registered(service.auth, { email, password: OLD });
  await forgot(` ${email.toUpperCase()} `);
  const mail = await mailTo(service.mail_dir, email, 2);
  return { ...person, email, mail, mailed: mail.token };
}

test('a mailed token sets a new password and logs in; every session before it ends', async () => {
  const { user_id, token, email, mail, mailed } = await forgetful();
  const second = tokenOf(await login(email, OLD));
  expect(mail.subject).toBe('Set a new password');
  expect(mail.url).toBe(`http://127.0.0.1:8080/reset#token=${mailed}`);
  expect(await valid(mailed)).toBe(true);
  expect(await valid(mailed)).toBe(true);

  const answer = await reset(mailed);
  expect(answer).toMatchObject({ user_id, user: { id: user_id, email } });
  expect(await live(tokenOf(answer))).toBe(user_id);
  expect(await live(token)).toBeUndefined();
  expect(await live(second)).toBeUndefined();
  expect(await violationsOf(login(email, OLD))).toContain('password INVALID_EMAIL_OR_PASSWORD');
  expect(await login(email, NEW)).toMatchObject({ user_id });

  expect(await valid(mailed)).toBe(false);
  expect(await violationsOf(reset(mailed, 'one more password'))).toEqual(INVALID);
  const { rows } = await service.db.query<{ kind: string; detail: unknown }>(
    "SELECT kind, detail FROM security_events WHERE account_id = $1 AND kind LIKE 'password.%' ORDER BY id",
    [user_id],
  );
  expect(rows).toEqual([
    { kind: 'password.reset_requested', detail: {} },
    { kind: 'password.reset', detail: { sessions: 2 } },
  ]);
});

test('of 64 concurrent resets with one token at two replicas one succeeds, and only its session is live', async () => {
  const { user_id, email, mailed } = await forgetful();
  const other = await service.replica();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 64 }, (_, n) =>
      reset(mailed, `password number ${n}`, n % 2 === 0 ? service.auth : other),
    ),
  );
  const won = outcomes.flatMap((outcome, n) =>
    outcome.status === 'fulfilled' ? [{ n, answer: outcome.value }] : [],
  );
  expect(won).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(await violationsOf(Promise.reject(outcome.reason))).toEqual(INVALID);
  }
  const [{ n, answer } = { n: -1, answer: {} }] = won;
  expect(await live(tokenOf(answer))).toBe(user_id);
  const { rows } = await service.db.query('SELECT FROM sessions WHERE account_id = $1', [user_id]);
  expect(rows).toHaveLength(1);
  await login(email, `password number ${n}`);
});

test('using one of two tokens voids the other', async () => {
  const { email, mailed } = await forgetful();
  await forgot(email);
  const { token: another } = await mailTo(service.mail_dir, email, 3);
  const outcomes = await Promise.allSettled([reset(mailed), reset(another)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('held logins and multi-factor tickets end too', async () => {
  const from = (ip: string) => ({ ...IN_TIME, caller: { ...anonymous, ip } });
  const person = newcomer({ password: OLD });
  const { user_id } = await service.auth.register(person, from('203.0.113.9'));
  const held = await faultOf(service.auth.login(person, from('198.51.100.7')));
  expect(held.reason).toBe('IP_AUTHORIZATION_REQUIRED');
  await service.db.query("INSERT INTO totp_factors (account_id, secret) VALUES ($1, '')", [user_id]);
  const { ticket } = await service.auth.login(person, IN_TIME);

  await forgot(person.email);
  const { token } = await mailTo(service.mail_dir, person.email, 3);
  await reset(token);
  const poll = service.auth.pollIpAuthorization({ ticket: String(held.members.ticket) }, IN_TIME);
  expect(await violationsOf(poll)).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
  const prove = service.auth.loginMfaTotp({ ticket: String(ticket), code: '000000' }, IN_TIME);
  expect(await violationsOf(prove)).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
});

test('an account with a second factor gets a ticket, and no session', async () => {
  const { user_id, mailed, token } = await forgetful();
  await service.db.query("INSERT INTO totp_factors (account_id, secret) VALUES ($1, '')", [user_id]);
  const answer: ResetPasswordResponse = await reset(mailed);
  expect(answer).toMatchObject({ mfa: true, ticket: expect.any(String), allowed_methods: ['totp'] });
  expect(answer.token ?? null).toBeNull();
  expect(answer.user ?? null).toBeNull();
  expect(await live(token)).toBeUndefined();
  const { rowCount } = await service.db.query('SELECT FROM sessions WHERE account_id = $1', [user_id]);
  expect(rowCount).toBe(0);
});

test('a reset from a new location is not held, because the mail is the proof', async () => {
  const { mailed, user_id } = await forgetful();
  const caller = { ...anonymous, ip: '198.51.100.77', user_agent: 'Browser/2' };
  expect(
    await service.auth.resetPassword({ token: mailed, password: NEW }, { ...IN_TIME, caller }),
  ).toMatchObject({
    user_id,
  });
});

describe('all violations are reported at once', () => {
  const long = 'A'.repeat(60_000);
  test.each([
    ['an unknown token', 'A'.repeat(43), NEW, INVALID],
    ['no token', '', NEW, INVALID],
    ['a long one', long, NEW, INVALID],
    ['both', '\0', 'short', [...INVALID, 'password PASSWORD_LENGTH_INVALID']],
    ['a password of 257', '', 'x'.repeat(257), [...INVALID, 'password PASSWORD_LENGTH_INVALID']],
  ])('%s', async (_what, token, password, expected) => {
    expect(await violationsOf(reset(token, password))).toEqual(expected);
  });

  test('a refused password does not use up the token', async () => {
    const { mailed, token } = await forgetful();
    expect(await violationsOf(reset(mailed, '1234567'))).toEqual(['password PASSWORD_LENGTH_INVALID']);
    expect(await valid(mailed)).toBe(true);
    expect(await live(token)).toBeDefined();
    await reset(mailed, '12345678');
  });
});

test('a token expires after an hour', async () => {
  const { user_id, mailed } = await forgetful();
  const { rows } = await service.db.query<{ minutes: number }>(
    `SELECT extract(epoch FROM expires_at - now())::float / 60 AS minutes
       FROM mail_tokens WHERE account_id = $1 AND purpose = 'reset_password'`,
    [user_id],
  );
  expect(rows[0]?.minutes).toBeGreaterThan(59);
  expect(rows[0]?.minutes).toBeLessThanOrEqual(60);
  await service.db.query("UPDATE mail_tokens SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
    user_id,
  ]);
  expect(await valid(mailed)).toBe(false);
  expect(await violationsOf(reset(mailed))).toEqual(INVALID);
});

test('a change of address, or deletion, voids the token', async () => {
  const moved = await forgetful();
  await service.db.query('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [
    moved.user_id,
    `moved-${moved.user_id}@example.com`,
  ]);
  expect(await valid(moved.mailed)).toBe(false);
  expect(await violationsOf(reset(moved.mailed))).toEqual(INVALID);

  const gone = await forgetful();
  await service.db.query('DELETE FROM accounts WHERE id = $1', [gone.user_id]);
  expect(await valid(gone.mailed)).toBe(false);
  expect(await violationsOf(reset(gone.mailed))).toEqual(INVALID);
});

test('a change of address while the new password is hashed voids the token', async () => {
  const { user_id, mailed } = await forgetful();
  const change = await service.db.connect();
  try {
    await change.query('BEGIN');
    await change.query(
      "UPDATE accounts SET email = id || '@b.example', email_key = id || '@b.example' WHERE id = $1",
      [user_id],
    );
    const violations = violationsOf(reset(mailed));
    await untilWaitingForLock(change, 1);
    await change.query('COMMIT');
    expect(await violations).toEqual(INVALID);
  } finally {
    change.release();
  }
});

test('the newest three tokens stay valid, however many are requested at once', async () => {
  const { user_id, email } = await forgetful();
  await service.db.query('UPDATE accounts SET verified = true WHERE id = $1', [user_id]); // without the limit of mails
  const other = await service.replica();
  await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      (n % 2 === 0 ? service.auth : other).forgotPassword({ email }, IN_TIME),
    ),
  );
  const mails = await mailsTo(service.mail_dir, email, 18);
  const good = await Promise.all(mails.slice(1).map(({ token }) => valid(token)));
  expect(good.filter(Boolean)).toHaveLength(3);
  const { rowCount } = await service.db.query(
    "SELECT FROM mail_tokens WHERE account_id = $1 AND purpose = 'reset_password'",
    [user_id],
  );
  expect(rowCount).toBe(3);
});

describe('a request does not reveal whether an account exists', () => {
  test('an unknown address gets the same response, an event and no mail, and is not stored', async () => {
    const known = await forgetful();
    const unknown = 'nobody-knows-me@example.com';
    const before = (await allMails(service.mail_dir)).length;
    expect(await forgot(unknown)).toEqual(await forgot(known.email));
    await mailsTo(service.mail_dir, known.email, 3);
    await expect.poll(async () => (await service.db.query('SELECT FROM mails')).rowCount).toBe(0);
    expect(await allMails(service.mail_dir)).toHaveLength(before + 1);

    const { rows } = await service.db.query<{ account_id: string | null; row: string }>(
      `SELECT account_id, t::text AS row FROM security_events AS t
        WHERE kind = 'password.reset_requested' ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.map(({ account_id }) => account_id)).toEqual([known.user_id, null]);
    for (const { row } of rows) expect(row).not.toContain(unknown);
  });

  test('concurrent requests for an unknown address wait for each other, like those for a known one', async () => {
    const known = newcomer();
    await registered(service.auth, known);
    for (const address of [known.email, 'nobody-asks-so-often@example.com']) {
      const hold = await service.db.connect();
      try {
        await hold.query('BEGIN');
        await hold.query('LOCK TABLE security_events IN SHARE MODE'); // their last write
        const requests = [1, 2, 3].map(() => forgot(address));
        await untilWaitingForLock(service.db, 3);
        const { rows: arrived } = await hold.query(
          'SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
          ['security_events'],
        );
        expect(arrived).toHaveLength(1);
        await hold.query('COMMIT');
        await Promise.all(requests);
      } finally {
        hold.release();
      }
    }
  });

  test('an unknown address runs the same statements', async () => {
    const { email } = newcomer();
    await service.auth.register(newcomer({ email }), IN_TIME);
    const timed = async (address: string) => {
      const startedAt = performance.now();
      await forgot(address);
      return performance.now() - startedAt;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 40; round++) {
      known.push(await timed(email));
      unknown.push(await timed('nobody-knows-me-either@example.com'));
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[20] ?? Number.NaN;
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  test.each([
    ['not an address'],
    [''],
    ['a@b\r\nBcc: c@d.example'],
    ['a\0@example.com'],
    ['a@b,c@d'],
    ['\ud800@example.com'],
  ])('%j is not an address', async (email) => {
    expect(await violationsOf(forgot(email))).toEqual(['email INVALID_EMAIL_FORMAT']);
  });

  test('bots have no address', async () => {
    const owner = await registered(service.auth);
    await service.auth.createBot({ application_id: '881', name: 'Bot', owner_id: owner.user_id }, IN_TIME);
    expect(await violationsOf(forgot('bot_881'))).toEqual(['email INVALID_EMAIL_FORMAT']);
  });
});

test('a reset token is no session token, and vice versa', async () => {
  const { mailed, token } = await forgetful();
  expect(await live(mailed)).toBeUndefined();
  expect((await faultOf(reset(token))).reason).toBe('INVALID_FORM_BODY');
});
