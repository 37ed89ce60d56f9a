import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth } from '../auth.ts';
import { allMails, mailsTo, mailTo } from '../mails.ts';
import { update } from '../profile.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_verify_email');
});
afterAll(() => service.close());

const INVALID = ['token INVALID_OR_EXPIRED_TOKEN'];
const verify = (token: string) => service.auth.verifyEmail({ token }, IN_TIME);

/** A person with the token from the registration mail. */
async function unverified() {
  const { email } = newcomer();
  const person = await registered(service.auth, { email });
  const { token } = await mailTo(service.mail_dir, email);
  return { ...person, email, mailed: token };
}

async function isVerified(person: Awaited<ReturnType<typeof unverified>>): Promise<boolean | undefined> {
  const { user } = await service.auth.getCurrentUser({}, { ...IN_TIME, caller: person.caller });
  return user?.verified;
}

test('the token of the registration mail verifies the address, once', async () => {
  const person = await unverified();
  expect(await isVerified(person)).toBe(false);
  await verify(person.mailed);
  expect(await isVerified(person)).toBe(true);
  expect(await violationsOf(verify(person.mailed))).toEqual(INVALID);

  const { rows } = await service.db.query(
    "SELECT kind, detail FROM security_events WHERE account_id = $1 AND kind LIKE 'email.%'",
    [person.user_id],
  );
  expect(rows).toEqual([{ kind: 'email.verified', detail: {} }]);
});

test('of 64 concurrent verifications with one token at two replicas one succeeds', async () => {
  const { mailed } = await unverified();
  const other = await service.replica();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 64 }, (_, n) =>
      (n % 2 === 0 ? service.auth : other).verifyEmail({ token: mailed }, IN_TIME),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(await violationsOf(Promise.reject(outcome.reason))).toEqual(INVALID);
});

test.each([
  ['nothing', ''],
  ['a made-up token', 'A'.repeat(43)],
  ['a NUL', '\0'],
  ['a long text', 'A'.repeat(60_000)],
])('%s is no token', async (_what, token) => {
  expect(await violationsOf(verify(token))).toEqual(INVALID);
});

test('a token expires after 24 hours', async () => {
  const { mailed, user_id } = await unverified();
  const { rows } = await service.db.query<{ hours: number }>(
    `SELECT extract(epoch FROM expires_at - now())::float / 3600 AS hours FROM mail_tokens WHERE account_id = $1`,
    [user_id],
  );
  expect(rows[0]?.hours).toBeGreaterThan(23.9);
  expect(rows[0]?.hours).toBeLessThanOrEqual(24);
  await service.db.query("UPDATE mail_tokens SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
    user_id,
  ]);
  expect(await violationsOf(verify(mailed))).toEqual(INVALID);
});

test('a change of address voids the token', async () => {
  const person = await unverified();
  await service.db.query('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [
    person.user_id,
    `new-${person.user_id}@example.com`,
  ]);
  expect(await violationsOf(verify(person.mailed))).toEqual(INVALID);
  expect(await isVerified(person)).toBe(false);
});

test('a reset token does not verify an address, and a verification token resets no password', async () => {
  const { email, mailed } = await unverified();
  await service.auth.forgotPassword({ email }, IN_TIME);
  const { token: reset } = await mailTo(service.mail_dir, email, 2);
  expect(await violationsOf(verify(reset))).toEqual(INVALID);
  expect(await service.auth.checkResetToken({ token: mailed }, IN_TIME)).toEqual({ valid: false });
  await verify(mailed);
});

describe('resending', () => {
  const resend = (caller: Awaited<ReturnType<typeof unverified>>['caller']) =>
    service.auth.resendVerification({}, { ...IN_TIME, caller });

  test('mails another token; both are valid until one is used', async () => {
    const { email, caller, mailed } = await unverified();
    await resend(caller);
    const { token } = await mailTo(service.mail_dir, email, 2);
    expect(token).not.toBe(mailed);
    await verify(mailed);
    expect(await violationsOf(verify(token))).toEqual(INVALID);
  });

  test('the newest three stay valid, however many are requested at once', async () => {
    const { email, caller } = await unverified();
    await Promise.all(Array.from({ length: 16 }, () => resend(caller)));
    const mails = await mailsTo(service.mail_dir, email, 5);
    const { rowCount } = await service.db.query('SELECT FROM mail_tokens WHERE account_id = $1', [
      caller.account_id,
    ]);
    expect(rowCount).toBe(3);
    expect(new Set(mails.map(({ token }) => token)).size).toBe(5);
  });

  test('stops after five mails to an address within a day, for all callers, with the same response', async () => {
    const { auth, db, mail_dir } = service;
    const replicas = [auth, await service.replica()];
    const victim = newcomer().email;
    const password = 'correct horse battery';
    const first = await registered(auth, { email: victim, password }); // the second mail of the first account
    await resend(first.caller); // the second
    await update(auth, first.caller, { email: newcomer().email, password });

    const second = await registered(auth, { password });
    const there = { ...IN_TIME, caller: second.caller };
    await update(auth, second.caller, { email: victim.toUpperCase(), password }); // the third
    await Promise.all(
      replicas.flatMap((replica) =>
        [1, 2, 3, 4].map(() => replica.resendVerification({}, { ...IN_TIME, caller: second.caller })),
      ),
    );
    await auth.deleteCurrentUser({ password }, there);
    const third = await registered(replicas[1] ?? auth, { email: victim, password });
    await resend(third.caller);

    const sent = async () => {
      await expect.poll(async () => (await db.query('SELECT FROM mails')).rowCount).toBe(0);
      const all = (await allMails(mail_dir)).filter(({ to }) => to.toLowerCase() === victim.toLowerCase());
      return all.filter(({ token }) => token !== '').length;
    };
    expect(await sent()).toBe(5);
    await db.query("UPDATE verification_mails SET mailed_at = ARRAY[now() - interval '25 hours']");
    await resend(third.caller);
    expect(await sent()).toBe(6);
  });

  test('an unverified address gets at most five notices of its change', async () => {
    const { auth, db, mail_dir } = service;
    const victim = newcomer().email;
    const password = 'correct horse battery';
    const { caller } = await registered(auth, { password });
    for (let round = 0; round < 7; round++) {
      await update(auth, caller, { email: victim, password });
      await update(auth, caller, { email: newcomer().email, password });
    }
    await expect.poll(async () => (await db.query('SELECT FROM mails')).rowCount).toBe(0);
    const mails = await mailsTo(mail_dir, victim, 10);
    expect(mails.filter(({ token }) => token === '')).toHaveLength(5);
  });

  test('an unverified address gets at most five mails of each other kind, over all replicas', async () => {
    const { auth, db, mail_dir } = service;
    const replicas = [auth, await service.replica()];
    const person = await unverified();
    const { email } = person;
    const forgot = () => replicas.map((replica) => replica.forgotPassword({ email }, IN_TIME));
    await Promise.all([1, 2, 3, 4].flatMap(forgot));
    for (let round = 0; round < 7; round++)
      await update(auth, person.caller, {
        password: round === 0 ? 'correct horse battery' : `good password ${round}`,
        new_password: `good password ${round + 1}`,
      });
    await expect.poll(async () => (await db.query('SELECT FROM mails')).rowCount).toBe(0);
    const subjects = (await mailsTo(mail_dir, email, 11)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Your password was changed')).toHaveLength(5);
  });

  test('is unlimited again once the address is verified', async () => {
    const person = await unverified();
    await Promise.all([1, 2, 3, 4, 5].map(() => resend(person.caller)));
    const mails = await mailsTo(service.mail_dir, person.email, 5);
    await verify(mails.at(-1)?.token ?? '');
    const password = 'correct horse battery';
    await update(service.auth, person.caller, { email: newcomer().email, password });
    await update(service.auth, person.caller, { email: person.email, password });
    // The sixth mails: the verification, and the notice of the change to another address.
    await mailsTo(service.mail_dir, person.email, 7);
  });

  test('does nothing for a verified address', async () => {
    const { email, caller, mailed } = await unverified();
    await verify(mailed);
    await resend(caller);
    const { rowCount } = await service.db.query('SELECT FROM mail_tokens WHERE account_id = $1', [
      caller.account_id,
    ]);
    expect(rowCount).toBe(0);
    await mailsTo(service.mail_dir, email, 1);
  });

  test('needs a session', async () => {
    expect((await faultOf(resend(anonymous))).reason).toBe('UNAUTHORIZED');
  });
});
