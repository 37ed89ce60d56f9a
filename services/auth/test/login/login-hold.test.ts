import { hash } from 'node:crypto';
import { violationsOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth, tokenOf, whoIs } from '../auth.ts';
import {
  AWAY,
  authorizationMails,
  enableTotp,
  FIREFOX,
  from,
  HOME,
  heldLogin,
  mailedToken,
  mailsWithLink,
  type Person,
  personAtHome,
  sessionCount,
} from './held.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_login_hold');
});
afterAll(() => service.close());

const login = (person: Person, ip: string) => service.auth.login(person, from(ip));
const poll = (ticket: string, ip = AWAY) => service.auth.pollIpAuthorization({ ticket }, from(ip));
const authorize = (token: string) => service.auth.authorizeIp({ token }, from(HOME));

test('a login from a new network is held until its mail is confirmed, then gives one session', async () => {
  const person = await personAtHome(service.auth);
  const { ticket, ...members } = await heldLogin(service.auth, person, AWAY, FIREFOX);
  expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(members).toEqual({ email: 'p***@e***.com', resend_available_in: 30 });
  expect(await poll(ticket)).toMatchObject({ completed: false, user: null });
  expect(await sessionCount(service, person)).toBe(1); // from the registration

  const [mail] = await authorizationMails(service, person);
  expect(mail?.text).toContain('Address: 203.0.*.*\n');
  expect(mail?.text).toContain('Firefox on Linux');
  expect(mail?.url).toBe(`http://127.0.0.1:8080/authorize-ip#token=${mail?.token}`);
  await authorize(mail?.token ?? '');

  const { completed, ...answer } = await poll(ticket);
  expect(completed).toBe(true);
  expect(answer).toMatchObject({ user_id: person.user_id, user: { email: person.email } });
  expect(await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, tokenOf(answer))).toBe(person.user_id);
  expect(await violationsOf(poll(ticket))).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);

  expect(await login(person, AWAY)).toMatchObject({ user_id: person.user_id });
});

test('the network of the login becomes known, not that of the poll', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  await authorize(await mailedToken(service, person));
  expect(await poll(ticket, '203.0.113.77')).toMatchObject({ completed: true });

  const { rows } = await service.db.query(
    'SELECT network FROM login_locations WHERE account_id = $1 ORDER BY network',
    [person.user_id],
  );
  expect(rows).toEqual([{ network: HOME }, { network: AWAY }]);
  await heldLogin(service.auth, person, '203.0.113.77');
});

test('the audit log records it without a secret', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  const token = await mailedToken(service, person);
  await authorize(token);
  await poll(ticket);
  const { rows } = await service.db.query(
    'SELECT kind, ip, detail FROM security_events WHERE account_id = $1 ORDER BY id',
    [person.user_id],
  );
  const session = expect.any(String);
  expect(rows).toEqual([
    { kind: 'account.registered', ip: HOME, detail: { proof: 'registration', session } },
    { kind: 'login.held', ip: AWAY, detail: { network: AWAY } },
    { kind: 'login.authorized', ip: HOME, detail: { network: AWAY } },
    { kind: 'login', ip: AWAY, detail: { proof: 'mail', session } },
  ]);
});

test('ticket and token are in no table and no log', async () => {
  const person = await personAtHome(service.auth);
  const { ticket } = await heldLogin(service.auth, person);
  const token = await mailedToken(service, person);
  const { rows } = await service.db.query<{ row: string }>(
    `SELECT h::text AS row FROM held_logins AS h UNION ALL SELECT m::text FROM mails AS m
     UNION ALL SELECT e::text FROM security_events AS e`,
  );
  const dump = rows.map(({ row }) => row).join('\n');
  for (const secret of [ticket, token]) {
    expect(dump).toContain(hash('sha256', secret));
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

describe('a login is not held', () => {
  test('from the network of the registration, IPv6 by /64 and IPv4-mapped as IPv4', async () => {
    const person = await personAtHome(service.auth);
    expect(await login(person, HOME)).toMatchObject({ user_id: person.user_id });
    expect(await login(person, `::ffff:${HOME}`)).toMatchObject({ user_id: person.user_id });

    const { ticket } = await heldLogin(service.auth, person, '2001:db8:0:7::1');
    await authorize(await mailedToken(service, person));
    expect(await poll(ticket, '2001:db8:0:7::1')).toMatchObject({ completed: true });
    expect(await login(person, '2001:db8:0:7:ffff::2')).toMatchObject({ user_id: person.user_id });
    await heldLogin(service.auth, person, '2001:db8:0:8::1');
  });

  test('without a client address', async () => {
    const person = await personAtHome(service.auth);
    expect(await login(person, '')).toMatchObject({ user_id: person.user_id });
  });

  test('of an account without a known network', async () => {
    const person = await personAtHome(service.auth);
    await service.db.query('DELETE FROM login_locations WHERE account_id = $1', [person.user_id]);
    expect(await login(person, AWAY)).toMatchObject({ user_id: person.user_id });
    await heldLogin(service.auth, person, '203.0.113.10');
  });

  test('of an account with a second factor, which is required instead', async () => {
    const person = await personAtHome(service.auth);
    await enableTotp(service, person);
    expect(await login(person, AWAY)).toMatchObject({ mfa: true });
  });

  test('if the check is off', async () => {
    const off = await startAuth('auth_login_hold_off', { config: { login_location_check: false } });
    try {
      const person = await personAtHome(off.auth);
      expect(await off.auth.login(person, from(AWAY))).toMatchObject({ user_id: person.user_id });
    } finally {
      await off.close();
    }
  });
});

test('a wrong password from a new network is not held', async () => {
  const person = await personAtHome(service.auth);
  const attempt = service.auth.login({ ...person, password: 'not the password' }, from(AWAY));
  expect(await violationsOf(attempt)).toContain('password INVALID_EMAIL_OR_PASSWORD');
  const { rowCount } = await service.db.query('SELECT FROM held_logins WHERE account_id = $1', [
    person.user_id,
  ]);
  expect(rowCount).toBe(0);
});

describe('later changes affect a held login', () => {
  test('a password reset ends the held logins, authorized or not', async () => {
    const person = await personAtHome(service.auth);
    const first = await heldLogin(service.auth, person);
    await authorize(await mailedToken(service, person));
    const second = await heldLogin(service.auth, person, '203.0.113.10');
    const token = await mailedToken(service, person, 2);

    await resetPassword(person);
    for (const { ticket } of [first, second]) {
      expect(await violationsOf(poll(ticket))).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
    }
    expect(await violationsOf(authorize(token))).toEqual(['token INVALID_OR_EXPIRED_TOKEN']);
    expect(await sessionCount(service, person)).toBe(1); // from the reset
  });

  test('a second factor that was added is not bypassed', async () => {
    const person = await personAtHome(service.auth);
    const { ticket } = await heldLogin(service.auth, person);
    await authorize(await mailedToken(service, person));
    await enableTotp(service, person);
    expect(await violationsOf(poll(ticket))).toEqual(['ticket INVALID_OR_EXPIRED_TICKET']);
    expect(await sessionCount(service, person)).toBe(1);
  });

  async function resetPassword({ email }: Person): Promise<void> {
    await service.auth.forgotPassword({ email }, IN_TIME);
    const token = (await mailsWithLink(service, email, '/reset#'))[0]?.token ?? '';
    await service.auth.resetPassword({ token, password: 'another good password' }, IN_TIME);
  }
});
