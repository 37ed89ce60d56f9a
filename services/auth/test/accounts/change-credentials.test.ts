import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Auth,
  type AuthUnderTest,
  IN_TIME,
  newcomer,
  registered,
  sessionCaller,
  startAuth,
  tokenOf,
  whoIs,
} from '../auth.ts';
import {
  auditLogOf,
  type Person,
  person,
  personWithTotp,
  STEP_MS,
  ticketFor,
  together,
  totpCode,
} from '../factors.ts';
import { allMails, mailsTo, mailTo } from '../mails.ts';
import { current, to, update } from '../profile.ts';

let service: AuthUnderTest;
let elsewhere: Auth;
beforeAll(async () => {
  service = await startAuth('auth_change_credentials');
  elsewhere = await service.replica();
});
afterAll(() => service.close());

const NEW = 'a quite different password';
const live = (token: string, auth = elsewhere) => whoIs(auth, CallerKind.CALLER_KIND_SESSION, token);
const login = async (email: string, password: string) => service.auth.login({ email, password }, IN_TIME);
const WRONG = ['email INVALID_EMAIL_OR_PASSWORD', 'password INVALID_EMAIL_OR_PASSWORD'];

/** Opens another session of a person. */
async function device({ email, password }: Person): Promise<{ token: string; caller: Caller }> {
  const token = tokenOf(await login(email, password));
  return { token, caller: await sessionCaller(service.auth, token) };
}

describe('a new address', () => {
  test('applies at once, unverified, also for logins, and both addresses get mail', async () => {
    const { caller, email, password, user_id } = await person(service.auth);
    const first = await mailTo(service.mail_dir, email);
    await service.auth.verifyEmail({ token: first.token }, IN_TIME);
    expect(await current(service.auth, caller)).toMatchObject({ verified: true });

    const next = `Next.${newcomer().email}`;
    const changed = await update(service.auth, caller, { email: ` ${next} `, password });
    expect(changed).toMatchObject({ id: user_id, email: next, verified: false });
    expect(await violationsOf(login(email, password))).toEqual(WRONG);
    expect(await login(next.toUpperCase(), password)).toMatchObject({ user_id });

    const [, notice] = await mailsTo(service.mail_dir, email, 2);
    expect(notice?.subject).toBe('Your e-mail address was changed');
    expect(notice?.raw).not.toContain(next);
    expect(notice?.token).toBe('');
    const { token } = await mailTo(service.mail_dir, next);
    await service.auth.verifyEmail({ token }, IN_TIME);
    expect(await current(service.auth, caller)).toMatchObject({ email: next, verified: true });
    expect(await auditLogOf(service, user_id)).toContain('email.changed');
  });

  test('voids the tokens mailed to the old one', async () => {
    const { caller, email, password } = await person(service.auth);
    await service.auth.forgotPassword({ email }, IN_TIME);
    const [verify, reset] = await mailsTo(service.mail_dir, email, 2);
    await update(service.auth, caller, { email: newcomer().email, password });
    const INVALID = ['token INVALID_OR_EXPIRED_TOKEN'];
    const verifying = () => service.auth.verifyEmail({ token: verify?.token ?? '' }, IN_TIME);
    expect(await violationsOf(verifying())).toEqual(INVALID);
    const resetting = service.auth.resetPassword({ token: reset?.token ?? '', password: NEW }, IN_TIME);
    expect(await violationsOf(resetting)).toEqual(INVALID);

    // Changing back does not restore them.
    await update(service.auth, caller, { email, password });
    expect(await violationsOf(verifying())).toEqual(INVALID);
  });

  test('ends logins held for the old mailbox', async () => {
    const someone = await person(service.auth);
    await service.auth.login(someone, { ...IN_TIME, caller: { ...anonymous, ip: '192.0.2.1' } });
    const held = await faultOf(
      service.auth.login(someone, { ...IN_TIME, caller: { ...anonymous, ip: '192.0.2.2' } }),
    );
    expect(held.reason).toBe('IP_AUTHORIZATION_REQUIRED');
    await update(service.auth, someone.caller, { email: newcomer().email, password: someone.password });
    const poll = service.auth.pollIpAuthorization({ ticket: String(held.members.ticket) }, IN_TIME);
    expect(await violationsOf(poll)).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
  });

  test('in another letter case stays verified, sends no mail, and voids nothing', async () => {
    const { caller, email, password, user_id } = await person(service.auth);
    const { token } = await mailTo(service.mail_dir, email);
    await service.auth.verifyEmail({ token }, IN_TIME);
    await service.auth.forgotPassword({ email }, IN_TIME);
    const [, reset] = await mailsTo(service.mail_dir, email, 2);
    const upper = email.toUpperCase();
    expect(await update(service.auth, caller, { email: upper, password })).toMatchObject({
      email: upper,
      verified: true,
    });
    expect(await service.auth.checkResetToken({ token: reset?.token ?? '' }, IN_TIME)).toEqual({
      valid: true,
    });
    await expect.poll(async () => (await service.db.query('SELECT FROM mails')).rowCount).toBe(0);
    const mails = (await allMails(service.mail_dir)).filter(
      ({ to }) => to.toLowerCase() === email.toLowerCase(),
    );
    expect(mails).toHaveLength(2);
    expect(await auditLogOf(service, user_id)).not.toContain('email.changed');
    expect(await login(email, password)).toMatchObject({ user_id });
  });

  test('to the same address needs no proof and no mail; another letter case is a change', async () => {
    const { caller, email, password, user } = await person(service.auth);
    await mailTo(service.mail_dir, email);
    expect(await update(service.auth, caller, { email: ` ${email}`, bio: to('b') })).toEqual({
      ...user,
      bio: 'b',
    });
    await mailTo(service.mail_dir, email);
    const upper = email.toUpperCase();
    expect(await faultOf(update(service.auth, caller, { email: upper }))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
    });
    expect(await update(service.auth, caller, { email: upper, password })).toMatchObject({ email: upper });
  });

  test('to a taken address is reported only after a proof', async () => {
    const { email } = await person(service.auth);
    const { caller, password } = await person(service.auth);
    const taken = { email: email.toUpperCase() };
    const free = { email: newcomer().email };
    for (const attempt of [taken, free]) {
      expect(await faultOf(update(service.auth, caller, attempt))).toMatchObject({
        reason: 'SUDO_MODE_REQUIRED',
        members: { has_mfa: false, methods: { password: true, totp: false, webauthn: false } },
      });
      expect(
        await violationsOf(update(service.auth, caller, { ...attempt, password: 'wrong password' })),
      ).toEqual(['password INVALID_PASSWORD']);
    }
    expect(await violationsOf(update(service.auth, caller, { ...taken, password }))).toEqual([
      'email EMAIL_ALREADY_IN_USE',
    ]);
  });

  test('requested by 64 accounts at once at two replicas succeeds for one', async () => {
    const people = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const { caller } = await registered(service.auth);
        await service.db.query(
          "INSERT INTO sudo_grants (session_id, expires_at) VALUES ($1, now() + interval '1 minute')",
          [caller.credential_id],
        );
        return caller;
      }),
    );
    const email = 'wanted@example.com';
    const { answers, refusals } = await together([service.auth, elsewhere], (auth, index) =>
      update(auth, people[index] ?? anonymous, { email }),
    );
    expect(answers).toMatchObject([{ email }]);
    expect(refusals).toEqual({ 'email EMAIL_ALREADY_IN_USE': 63 });
    await mailsTo(service.mail_dir, email, 1);
  });
});

describe('a new password', () => {
  test('is required from then on; other sessions stay unless the request ends them', async () => {
    const someone = await person(service.auth);
    const { caller, token, email, password, user_id } = someone;
    const other = await device(someone);
    const changed = await update(service.auth, caller, { new_password: NEW, password });
    expect(Date.parse(changed.password_last_changed_at ?? '')).toBeGreaterThan(
      Date.parse(someone.user?.password_last_changed_at ?? ''),
    );
    expect(await violationsOf(login(email, password))).toEqual(WRONG);
    expect(await login(email, NEW)).toMatchObject({ user_id });
    expect(await live(other.token)).toBe(user_id);

    const third = 'the third password of all';
    await update(service.auth, caller, { new_password: third, end_other_sessions: true, password: NEW });
    expect(await live(other.token)).toBeUndefined();
    expect(await live(token)).toBe(user_id);
    const { rows } = await service.db.query(
      "SELECT detail FROM security_events WHERE account_id = $1 AND kind = 'password.changed' ORDER BY id",
      [user_id],
    );
    expect(rows).toEqual([{ detail: { sessions: 0 } }, { detail: { sessions: 2 } }]);
  });

  test('needs a proof, and a wrong one changes nothing', async () => {
    const { caller, email, password, user } = await person(service.auth);
    const changes = { new_password: NEW, bio: to('b') };
    expect(await faultOf(update(service.auth, caller, changes))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
    });
    expect(await violationsOf(update(service.auth, caller, { ...changes, password: NEW }))).toEqual([
      'password INVALID_PASSWORD',
    ]);
    expect(await current(service.auth, caller)).toEqual(user);
    await login(email, password);

    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
    expect(await update(service.auth, caller, changes)).toMatchObject({ bio: 'b' });
    await login(email, NEW);
  });

  test('of an account with MFA is proven by a code, never by the password', async () => {
    const someone = await personWithTotp(service.auth);
    const { caller, password } = someone;
    expect(await faultOf(update(service.auth, caller, { new_password: NEW, password }))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
      members: { has_mfa: true },
    });
    const mfa_code = totpCode(someone.secret, Date.now() + STEP_MS);
    await update(service.auth, caller, { new_password: NEW, mfa_code });
    expect(await login(someone.email, NEW)).toMatchObject({ mfa: true });
  });

  test('ends tickets, mailed tokens and the grants of other sessions, whether those end or not', async () => {
    const someone = await person(service.auth);
    const { caller, email, password } = someone;
    const other = await device(someone);
    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller: other.caller });
    await service.auth.forgotPassword({ email }, IN_TIME);
    const mailed = await mailTo(service.mail_dir, email, 2);

    await update(service.auth, caller, { new_password: NEW, password });
    expect(await service.auth.checkResetToken({ token: mailed.token }, IN_TIME)).toEqual({ valid: false });
    expect(await faultOf(update(service.auth, other.caller, { new_password: password }))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
    });

    const secured = await personWithTotp(service.auth);
    const ticket = await ticketFor(service.auth, secured);
    const [code = '', next = ''] = secured.codes;
    await update(service.auth, secured.caller, { new_password: NEW, mfa_code: code });
    expect(await violationsOf(service.auth.loginMfaTotp({ ticket, code: next }, IN_TIME))).toEqual([
      'ticket INVALID_OR_EXPIRED_TICKET',
    ]);
  });

  test('of 64 concurrent changes at two replicas one succeeds; the others need another proof', async () => {
    const { caller, email, password, user_id } = await person(service.auth);
    const { answers, refusals } = await together([service.auth, elsewhere], (auth, index) =>
      update(auth, caller, { new_password: `${NEW} ${index}`, password }),
    );
    expect(answers).toHaveLength(1);
    const { SUDO_MODE_REQUIRED: again = 0, 'password INVALID_PASSWORD': wrong = 0, ...rest } = refusals;
    expect(rest).toEqual({});
    expect(again + wrong).toBe(63);
    expect((await auditLogOf(service, user_id)).filter((kind) => kind === 'password.changed')).toHaveLength(
      1,
    );
    expect(await violationsOf(login(email, password))).toEqual(WRONG);
  });

  test('leaves no session of a concurrent login with the old one', async () => {
    for (let round = 0; round < 4; round++) {
      const someone = await person(service.auth);
      const { caller, email, password, token, user_id } = someone;
      const logins = Array.from({ length: 8 }, () => login(email, password).catch(() => undefined));
      const change = update(elsewhere, caller, { new_password: NEW, end_other_sessions: true, password });
      await Promise.all([change, ...logins]);
      const { rows } = await service.db.query<{ id: string }>(
        'SELECT id FROM sessions WHERE account_id = $1',
        [user_id],
      );
      expect(rows).toEqual([{ id: caller.credential_id }]);
      expect(await live(token)).toBe(user_id);
    }
  });

  test('leaves no session of a login that has verified the old one before', async () => {
    const { caller, email, password, user_id } = await person(service.auth);
    const hold = await service.db.connect();
    try {
      await hold.query('BEGIN');
      await hold.query('LOCK TABLE sessions IN SHARE MODE'); // blocks writes, not reads
      const opening = login(email, password);
      await untilWaitingForLock(hold, 1);
      const change = update(elsewhere, caller, { new_password: NEW, end_other_sessions: true, password });
      await untilWaitingForLock(hold, 2);
      await hold.query('COMMIT');
      await Promise.all([opening, change]);
    } finally {
      hold.release();
    }
    const { rows } = await service.db.query('SELECT id FROM sessions WHERE account_id = $1', [user_id]);
    expect(rows).toEqual([{ id: caller.credential_id }]);
  });

  test('does not deadlock with a logout of a session with a grant', async () => {
    const someone = await person(service.auth);
    const { caller, password, user_id } = someone;
    const other = await device(someone);
    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller: other.caller });
    const hold = await service.db.connect();
    try {
      // The logout waits for the session before it deletes the grant; the change comes next.
      await hold.query('BEGIN');
      await hold.query('SELECT FROM sessions WHERE id = $1 FOR KEY SHARE', [other.caller.credential_id]);
      const logout = service.auth.logout({}, { ...IN_TIME, caller: other.caller });
      await untilWaitingForLock(service.db, 1);
      const change = update(elsewhere, caller, { new_password: NEW, end_other_sessions: true, password });
      await untilWaitingForLock(service.db, 2);
      await hold.query('COMMIT');
      await Promise.all([logout, change]);
    } finally {
      hold.release();
    }
    const { rows } = await service.db.query('SELECT id FROM sessions WHERE account_id = $1', [user_id]);
    expect(rows).toEqual([{ id: caller.credential_id }]);
  });

  test('is not set if the session ends meanwhile', async () => {
    const someone = await person(service.auth);
    const other = await device(someone);
    const hold = await service.db.connect();
    try {
      // The owner ends the other session in an earlier transaction.
      await hold.query('BEGIN');
      await hold.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [someone.user_id]);
      const attempt = faultOf(
        update(service.auth, other.caller, { new_password: NEW, password: someone.password }),
      );
      await untilWaitingForLock(hold, 1);
      await hold.query('DELETE FROM sessions WHERE id = $1', [other.caller.credential_id]);
      await hold.query('COMMIT');
      expect(await attempt).toMatchObject({ reason: 'UNAUTHORIZED' });
    } finally {
      hold.release();
    }
    expect(await login(someone.email, someone.password)).toMatchObject({ user_id: someone.user_id });
  });
});

test('mails contain no password and no token of another purpose', async () => {
  for (const { raw, subject, token } of await allMails(service.mail_dir)) {
    expect(raw).not.toContain(NEW);
    if (subject === 'Your e-mail address was changed') expect(token).toBe('');
  }
});
