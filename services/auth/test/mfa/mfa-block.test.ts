import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { Status } from '@gatehouse/kit/fault';
import { anonymous } from '@gatehouse/kit/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import {
  auditLogOf,
  type PersonWithTotp,
  personWithTotp,
  standingClock,
  ticketFor,
  together,
  totpCode,
  wrongCode,
} from '../factors.ts';
import { mailsOf } from '../mails.ts';
import { loginOptions, passkeyOwner, tampered } from '../passkeys.ts';

const time = standingClock();
let service: AuthUnderTest;
let replicas: Auth[];
beforeAll(async () => {
  service = await startAuth('auth_mfa_block', { clock: time.clock });
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

const finish = (ticket: string, code: string, auth = service.auth, ip = '') =>
  auth.loginMfaTotp({ ticket, code }, { ...IN_TIME, caller: { ...anonymous, ip } });
const WRONG = ['code INVALID_MFA_CODE'];
const HELD_SUBJECT = 'Somebody is trying to log in to your account';

/** Sends wrong codes, one after the other, with as many tickets as they need. */
async function fail(someone: PersonWithTotp, count: number): Promise<void> {
  let ticket = '';
  for (let done = 0; done < count; done++) {
    if (done % 5 === 0) ticket = await ticketFor(service.auth, someone);
    const attempt = finish(ticket, wrongCode(someone.secret, time.now()), service.auth, `203.0.113.${done}`);
    expect(await violationsOf(attempt)).toEqual(WRONG);
  }
}

/** Moves the counted failures into the past. */
const earlier = ({ user_id }: { user_id: string }, interval: string) =>
  service.db.query(
    `UPDATE mfa_failures SET held_until = held_until - $2::interval,
            failed_at = ARRAY(SELECT at - $2::interval FROM unnest(failed_at) AS at ORDER BY at DESC)
      WHERE account_id = $1`,
    [user_id, interval],
  );

const heldMails = async ({ email }: { email: string }) =>
  (await mailsOf(service.mail_dir, email)).filter(({ subject }) => subject === HELD_SUBJECT);

test('twenty wrong codes in an hour block the login, also with the right code, which is not used up', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 20);
  const ticket = await ticketFor(service.auth, someone);
  const code = totpCode(someone.secret, time.now());
  // More often than one ticket allows.
  for (let attempt = 0; attempt < 6; attempt++) {
    const fault = await faultOf(finish(ticket, code));
    expect(fault).toMatchObject({ status: Status.RESOURCE_EXHAUSTED, reason: 'RATE_LIMITED' });
    const { global, retry_after, ...more } = fault.members;
    expect([global, more]).toEqual([false, {}]);
    expect(retry_after).toBeGreaterThan(800);
    expect(retry_after).toBeLessThanOrEqual(900);
    expect(Math.round(Number(retry_after) * 1000)).toBe(Number(retry_after) * 1000);
    const seconds = Math.ceil(Number(retry_after));
    expect(fault.message).toBe(`You are being rate limited. Try again in ${seconds} seconds.`);
  }
  await expect.poll(() => heldMails(someone)).toHaveLength(1);
  const [mail] = await heldMails(someone);
  expect(mail?.text).toMatch(
    /20 wrong codes .*\n\nWhen: .* UTC\nAddress: 203\.0\.\*\.\*\nDevice: unknown\n/s,
  );

  await earlier(someone, '15 minutes');
  expect(await finish(ticket, code)).toMatchObject({ user_id: someone.user_id });
  expect(
    (await auditLogOf(service, someone.user_id)).filter((kind) => kind === 'login.mfa_held'),
  ).toHaveLength(1);
});

test('a blocked login has another error than an unusable ticket', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 20);
  expect(await violationsOf(finish('unknown', '000000'))).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
});

test('at most twenty concurrent ones are checked, over two replicas, with a ticket each', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const tickets = await Promise.all(Array.from({ length: 64 }, () => ticketFor(service.auth, someone)));
  const wrong = wrongCode(someone.secret, time.now());
  const { refusals } = await together(replicas, (auth, index) => finish(tickets[index] ?? '', wrong, auth));
  expect(refusals).toEqual({ 'code INVALID_MFA_CODE': 20, RATE_LIMITED: 44 });
  const { rows } = await service.db.query(
    `SELECT count(*)::int AS judged FROM security_events WHERE account_id = $1 AND kind = 'login.mfa_failed'`,
    [someone.user_id],
  );
  expect(rows).toEqual([{ judged: 20 }]);
  await expect.poll(() => heldMails(someone)).toHaveLength(1);
});

test('a successful login does not reset the count', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 19);
  await finish(await ticketFor(service.auth, someone), someone.codes[0] ?? '');
  await fail(someone, 1);
  const held = finish(await ticketFor(service.auth, someone), someone.codes[1] ?? '');
  expect((await faultOf(held)).reason).toBe('RATE_LIMITED');
});

test('failures count for an hour; within it one wrong code after a block starts the next', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 20);
  await earlier(someone, '15 minutes');
  await fail(someone, 1);
  const ticket = await ticketFor(service.auth, someone);
  const [code = ''] = someone.codes;
  expect((await faultOf(finish(ticket, code))).reason).toBe('RATE_LIMITED');
  await expect.poll(() => heldMails(someone)).toHaveLength(2);

  await earlier(someone, '1 hour');
  await fail(someone, 5);
  expect(await finish(ticket, code)).toMatchObject({ user_id: someone.user_id });
});

test('wrong passkey assertions count too; a login by passkey alone is not blocked', async () => {
  const { auth } = service;
  const owner = await passkeyOwner(auth);
  const answer = async (ticket: string) => {
    const { options } = await auth.getLoginWebauthnOptions({ ticket }, IN_TIME);
    return owner.device.get(options, { id: owner.passkey.id });
  };
  for (let round = 0; round < 4; round++) {
    const ticket = await ticketFor(auth, owner);
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = tampered(await answer(ticket), 'id');
      expect(await violationsOf(auth.loginMfaWebauthn({ ticket, response }, IN_TIME))).toEqual([
        'response INVALID_MFA_CODE',
      ]);
    }
  }
  const alone = owner.device.get(await loginOptions(auth), { id: owner.passkey.id });
  expect(await auth.loginPasskey({ response: alone }, IN_TIME)).toMatchObject({ user_id: owner.user_id });

  const ticket = await ticketFor(auth, owner);
  const response = await answer(ticket);
  const held = await faultOf(auth.loginMfaWebauthn({ ticket, response }, IN_TIME));
  expect(held).toMatchObject({ reason: 'RATE_LIMITED', members: { global: false } });

  await earlier(owner, '15 minutes');
  expect(await auth.loginMfaWebauthn({ ticket, response }, IN_TIME)).toMatchObject({
    user_id: owner.user_id,
  });
});

test('sudo mode has a limit of its own', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const as = { ...IN_TIME, caller: someone.caller };
  const mfa_code = wrongCode(someone.secret, time.now());
  for (let attempt = 0; attempt < 21; attempt++)
    expect(await violationsOf(service.auth.createSudoGrant({ mfa_code }, as))).toEqual([
      'mfa_code INVALID_MFA_CODE',
    ]);
  await finish(await ticketFor(service.auth, someone), someone.codes[0] ?? '');
  await fail(someone, 20);
  await service.auth.createSudoGrant({ mfa_code: someone.codes[1] ?? '' }, as);
});

test('a block survives a restart', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 20);
  const later = await service.replica();
  const ticket = await ticketFor(later, someone);
  expect((await faultOf(finish(ticket, someone.codes[0] ?? '', later))).reason).toBe('RATE_LIMITED');
});

test('only failures that count are stored', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await fail(someone, 20);
  for (let round = 0; round < 2; round++) {
    await earlier(someone, '15 minutes');
    await fail(someone, 1);
  }
  const { rows } = await service.db.query(
    'SELECT cardinality(failed_at) AS kept FROM mfa_failures WHERE account_id = $1',
    [someone.user_id],
  );
  expect(rows).toEqual([{ kept: 20 }]);
});

test('at most two attempts hold a database connection at once, over all accounts and factors', async () => {
  const { auth, db } = service;
  const someone = await personWithTotp(auth, time.now());
  const tickets = await Promise.all(Array.from({ length: 6 }, () => ticketFor(auth, someone)));
  const beside = await db.connect();
  await beside.query('BEGIN');
  await beside.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [someone.user_id]);
  const attempts = tickets.map((ticket, index) =>
    index % 2 === 0
      ? finish(ticket, wrongCode(someone.secret, time.now()))
      : auth.loginMfaWebauthn({ ticket, response: '{}' }, IN_TIME),
  );
  const outcomes = Promise.allSettled(attempts);
  try {
    await untilWaitingForLock(beside, 2);
    for (let call = 0; call < 3; call++)
      await auth.getUser({ user_id: someone.user_id }, { ...IN_TIME, caller: someone.caller });
    await untilWaitingForLock(beside, 2);
  } finally {
    await beside.query('COMMIT');
    beside.release();
    await outcomes;
  }
});
