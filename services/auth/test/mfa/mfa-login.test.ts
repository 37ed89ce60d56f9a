import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth, whoIs } from '../auth.ts';
import {
  auditLogOf,
  insertUnusablePasskey,
  type Person,
  person,
  personWithTotp,
  STEP_MS,
  standingClock,
  ticketFor,
  together,
  totpCode,
  wrongCode,
} from '../factors.ts';

const time = standingClock();
let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_mfa_login', { clock: time.clock });
});
afterAll(() => service.close());

const DEAD_TICKET = ['ticket INVALID_OR_EXPIRED_TICKET'];
const WRONG_CODE = ['code INVALID_MFA_CODE'];
const finish = (ticket: string, code: string) => service.auth.loginMfaTotp({ ticket, code }, IN_TIME);
const sessionsOf = async ({ user_id }: Person) =>
  (await service.db.query('SELECT FROM sessions WHERE account_id = $1', [user_id])).rowCount;

test('an account with TOTP needs a code after the password', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const { email, password } = someone;
  const response = await service.auth.login({ email, password }, IN_TIME);
  expect(response).toMatchObject({ mfa: true, allowed_methods: ['totp'] });
  expect(response.ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
  for (const member of ['token', 'user_id', 'user'] as const) expect(response[member] ?? null).toBeNull();
  expect(await sessionsOf(someone)).toBe(1);

  const caller = { ...anonymous, ip: '192.0.2.7' }; // any address will do
  const { token, user_id, user } = await service.auth.loginMfaTotp(
    { ticket: response.ticket ?? '', code: totpCode(someone.secret, time.now()) },
    { ...IN_TIME, caller },
  );
  expect(user_id).toBe(someone.user_id);
  expect(user).toMatchObject({ id: user_id, mfa_enabled: true });
  expect(await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
  expect(await auditLogOf(service, user_id)).toEqual(['account.registered', 'mfa.totp_enabled', 'login']);
});

test('a second factor that is added during a login is required', async () => {
  const someone = await person(service.auth);
  const enabling = await service.db.connect();
  try {
    await enabling.query('BEGIN');
    await enabling.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [someone.user_id]);
    await enabling.query("INSERT INTO totp_factors (account_id, secret) VALUES ($1, '')", [someone.user_id]);
    const attempt = service.auth.login({ email: someone.email, password: someone.password }, IN_TIME);
    await untilWaitingForLock(enabling, 1);
    await enabling.query('COMMIT');
    expect(await attempt).toMatchObject({ mfa: true, allowed_methods: ['totp'] });
  } finally {
    enabling.release();
  }
  expect(await sessionsOf(someone)).toBe(1);
});

test.each([
  ['blanks within', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\t`],
  ['dashes within', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['other dashes and blanks', (code: string) => `${code.slice(0, 3)}\u2013\u00a0${code.slice(3)}\n`],
])('a code is accepted with %s', async (_what, written) => {
  const someone = await personWithTotp(service.auth, time.now());
  const code = written(totpCode(someone.secret, time.now()));
  expect((await finish(await ticketFor(service.auth, someone), code)).user_id).toBe(someone.user_id);
});

describe('a backup code', () => {
  test.each([
    ['as it is shown', (code: string) => code],
    ['in upper case', (code: string) => code.toUpperCase()],
    ['without its dash, with blanks', (code: string) => ` ${code.replace('-', ' ')} `],
    ['with letters for digits', (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'l')],
  ])('finishes one login %s, and no second one', async (_what, written) => {
    const someone = await personWithTotp(service.auth, time.now());
    for (const shown of someone.codes.slice(0, 2)) {
      const code = written(shown);
      expect((await finish(await ticketFor(service.auth, someone), code)).user_id).toBe(someone.user_id);
      expect(await violationsOf(finish(await ticketFor(service.auth, someone), code))).toEqual(WRONG_CODE);
    }
    expect(
      (await auditLogOf(service, someone.user_id)).filter((kind) => kind === 'mfa.backup_code_used'),
    ).toHaveLength(2);
  });

  test('of another account does not work', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const another = await personWithTotp(service.auth, time.now());
    const ticket = await ticketFor(service.auth, another);
    expect(await violationsOf(finish(ticket, someone.codes[0] ?? ''))).toEqual(WRONG_CODE);
  });

  test('is accepted once of 64 concurrent logins at two replicas, with a ticket each', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const tickets = await insertTickets(someone, 64);
    const { answers, refusals } = await together([service.auth, replica], (auth, index) =>
      auth.loginMfaTotp({ ticket: tickets[index] ?? '', code: someone.codes[3] ?? '' }, IN_TIME),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ 'code INVALID_MFA_CODE': 20, RATE_LIMITED: 43 });
    expect(await sessionsOf(someone)).toBe(2);
  });
});

test('a TOTP step completes one of 64 concurrent logins at two replicas, with a ticket each', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const replica = await service.replica();
  const tickets = await insertTickets(someone, 64);
  const code = totpCode(someone.secret, time.now());
  const { answers, refusals } = await together([service.auth, replica], (auth, index) =>
    auth.loginMfaTotp({ ticket: tickets[index] ?? '', code }, IN_TIME),
  );
  expect(answers).toHaveLength(1);
  expect(refusals).toEqual({ 'code INVALID_MFA_CODE': 20, RATE_LIMITED: 43 });
  expect(await sessionsOf(someone)).toBe(2);
});

describe('a ticket', () => {
  test('ends with the fifth wrong code', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const ticket = await ticketFor(service.auth, someone);
    const wrong = wrongCode(someone.secret, time.now());
    for (const code of [wrong, '', 'not a code', someone.codes[0]?.slice(1) ?? '', 'x'.repeat(5000)]) {
      expect(await violationsOf(finish(ticket, code))).toEqual(WRONG_CODE);
    }
    expect(await violationsOf(finish(ticket, totpCode(someone.secret, time.now())))).toEqual(DEAD_TICKET);
    expect(await sessionsOf(someone)).toBe(1);
    expect(
      (await auditLogOf(service, someone.user_id)).filter((kind) => kind === 'login.mfa_failed'),
    ).toHaveLength(5);
    // The code that came too late is still valid elsewhere.
    await finish(await ticketFor(service.auth, someone), totpCode(someone.secret, time.now()));
  });

  test('accepts the right code as the fifth', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const ticket = await ticketFor(service.auth, someone);
    for (let count = 0; count < 4; count++) {
      expect(await violationsOf(finish(ticket, wrongCode(someone.secret, time.now())))).toEqual(WRONG_CODE);
    }
    expect((await finish(ticket, totpCode(someone.secret, time.now()))).user_id).toBe(someone.user_id);
  });

  test('opens one session for 64 concurrent callers at two replicas with different right codes', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const ticket = await ticketFor(service.auth, someone);
    const { answers } = await together([service.auth, replica], (auth, index) =>
      auth.loginMfaTotp({ ticket, code: someone.codes[index % 10] ?? '' }, IN_TIME),
    );
    expect(answers).toHaveLength(1);
    expect(await sessionsOf(someone)).toBe(2);
    // The calls that were too late did not use up their codes.
    const { rowCount } = await service.db.query(
      'SELECT FROM backup_codes WHERE account_id = $1 AND consumed_at IS NOT NULL',
      [someone.user_id],
    );
    expect(rowCount).toBe(1);
  });

  test('accepts five of 64 concurrent wrong codes', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const ticket = await ticketFor(service.auth, someone);
    const code = wrongCode(someone.secret, time.now());
    const { refusals } = await together([service.auth, replica], (auth) =>
      auth.loginMfaTotp({ ticket, code }, IN_TIME),
    );
    expect(refusals).toEqual({ 'code INVALID_MFA_CODE': 5, 'ticket INVALID_OR_EXPIRED_TICKET': 59 });
  });

  test('is used once, lasts five minutes, and cannot be guessed', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const used = await ticketFor(service.auth, someone);
    await finish(used, someone.codes[0] ?? '');
    const expired = await ticketFor(service.auth, someone);
    const { rows } = await service.db.query(
      `SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM mfa_tickets WHERE account_id = $1`,
      [someone.user_id],
    );
    expect(rows[0].seconds).toBeGreaterThan(290);
    expect(rows[0].seconds).toBeLessThanOrEqual(300);
    await service.db.query(
      "UPDATE mfa_tickets SET expires_at = now() - interval '1 s' WHERE account_id = $1",
      [someone.user_id],
    );
    for (const ticket of [used, expired, '', 'x', '\0', 'A'.repeat(43), someone.token]) {
      expect(await violationsOf(finish(ticket, someone.codes[1] ?? ''))).toEqual(DEAD_TICKET);
    }
    await finish(await ticketFor(service.auth, someone), someone.codes[1] ?? '');
  });

  test('ends with the account, and with its password', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const ticket = await ticketFor(service.auth, someone);
    const change = await service.db.connect();
    try {
      await change.query('BEGIN');
      await change.query("UPDATE accounts SET password_hash = 'another' WHERE id = $1", [someone.user_id]);
      const violations = violationsOf(finish(ticket, someone.codes[0] ?? ''));
      await untilWaitingForLock(change, 1);
      await change.query('DELETE FROM mfa_tickets WHERE account_id = $1', [someone.user_id]);
      await change.query('COMMIT');
      expect(await violations).toEqual(DEAD_TICKET);
      expect(await sessionsOf(someone)).toBe(1);
    } finally {
      change.release();
    }
    const another = await personWithTotp(service.auth, time.now());
    const last = await ticketFor(service.auth, another);
    await service.db.query('DELETE FROM accounts WHERE id = $1', [another.user_id]);
    expect(await violationsOf(finish(last, another.codes[0] ?? ''))).toEqual(DEAD_TICKET);
  });

  test('is not held for a new location', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const { email, password } = someone;
    const at = (ip: string) => ({
      ...IN_TIME,
      caller: { ...anonymous, ip },
    });
    const first = await service.auth.login({ email, password }, at('192.0.2.1'));
    await service.auth.loginMfaTotp(
      { ticket: first.ticket ?? '', code: someone.codes[0] ?? '' },
      at('192.0.2.1'),
    );
    const second = await service.auth.login({ email, password }, at('203.0.113.1'));
    await service.auth.loginMfaTotp(
      { ticket: second.ticket ?? '', code: someone.codes[1] ?? '' },
      at('198.51.100.1'),
    );
    expect(await sessionsOf(someone)).toBe(3);
  });
});

test('the methods that can complete a login', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const { email, password } = someone;
  const methods = async () => {
    const { allowed_methods, backup_codes } = await service.auth.login({ email, password }, IN_TIME);
    return { allowed_methods, backup_codes };
  };
  await insertUnusablePasskey(service, someone.user_id);
  expect(await methods()).toEqual({ allowed_methods: ['totp', 'webauthn'], backup_codes: true });
  await service.auth.disableTotp(
    { code: totpCode(someone.secret, time.now()) },
    { ...IN_TIME, caller: someone.caller },
  );
  expect(await methods()).toEqual({ allowed_methods: ['webauthn'], backup_codes: true });
  await service.db.query('UPDATE backup_codes SET consumed_at = now() WHERE account_id = $1', [
    someone.user_id,
  ]);
  expect(await methods()).toEqual({ allowed_methods: ['webauthn'], backup_codes: false });
});

test('a secret whose key is missing is 503; backup codes still work', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await service.db.query(
    String.raw`UPDATE totp_factors SET secret = '\x00000000' || substr(secret, 5) WHERE account_id = $1`,
    [someone.user_id],
  );
  const code = totpCode(someone.secret, time.now() + STEP_MS);
  expect((await faultOf(finish(await ticketFor(service.auth, someone), code))).reason).toBe(
    'SERVICE_UNAVAILABLE',
  );
  await finish(await ticketFor(service.auth, someone), someone.codes[0] ?? '');
});

/** Tickets as logins create them, without 64 times the cost of the password. */
async function insertTickets({ user_id }: Person, count: number): Promise<string[]> {
  const tickets = Array.from({ length: count }, (_, index) => `planted ${user_id} ${index}`);
  await service.db.query(
    `INSERT INTO mfa_tickets (ticket_hash, account_id, expires_at)
     SELECT sha256(convert_to(ticket, 'UTF8')), $1, now() + interval '5 minutes' FROM unnest($2::text[]) AS ticket`,
    [user_id, tickets],
  );
  return tickets;
}
