import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, sessionCaller, startAuth, tokenOf } from '../auth.ts';
import { newTotpSecret, STEP_MS, standingClock, ticketFor, totpCode } from '../factors.ts';
import { AWAY, FIREFOX, from, HOME, mailsWithLink, type Person, personAtHome } from '../login/held.ts';
import { type Mail, mailsOf } from '../mails.ts';
import { addPasskey, loginOptions } from '../passkeys.ts';
import { update } from '../profile.ts';

const time = standingClock();
let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_notices', { clock: time.clock, config: { login_location_check: false } });
});
afterAll(() => service.close());

const WHO = () => {
  const [date = '', clock = ''] = new Date(time.now()).toISOString().split(/[T.]/);
  const [year = '', month = '', day = ''] = date.split('-');
  const when = `${Number(day)} ${MONTHS[Number(month) - 1]} ${year} at ${clock} UTC`;
  return `When: ${when}\nAddress: 203.0.*.*\nDevice: Firefox on Linux\n`;
};

/** The notices among the mails to an address: those without a code. */
async function noticesTo(address: string): Promise<Mail[]> {
  return (await mailsOf(service.mail_dir, address)).filter(({ token }) => token === '');
}

/** Waits until the address has these notices, oldest first, and returns the last. */
async function notified(address: string, ...subjects: string[]): Promise<Mail> {
  let notices: Mail[] = [];
  const subjectsOfNotices = async () => {
    notices = await noticesTo(address);
    return notices.map(({ subject }) => subject).toSorted();
  };
  await expect.poll(subjectsOfNotices).toEqual(subjects.toSorted());
  const last = notices.find(({ subject }) => subject === subjects.at(-1));
  if (last === undefined) throw new RangeError('a notice must be waited for');
  return last;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

const ADDED = 'A second factor was added to your account';
const REMOVED = 'A second factor was removed from your account';
const PASSWORD = 'Your password was changed';
const LOGIN = 'A login from a new place';

/** A person whose session is used from the known network AWAY. */
async function personAway() {
  const person = await personAtHome(service.auth);
  const { caller: client } = from(AWAY, FIREFOX);
  const token = tokenOf(await service.auth.login(person, from(HOME)));
  const { ip, user_agent } = client;
  const caller = { ...(await sessionCaller(service.auth, token)), ip, user_agent };
  await service.auth.createSudoGrant({ password: person.password }, { ...IN_TIME, caller });
  return { ...person, caller, as: { ...IN_TIME, caller } };
}

describe('the owner gets mail with the change, time, address and client', () => {
  test('about TOTP being enabled and disabled', async () => {
    const { email, username, as } = await personAway();
    const secret = newTotpSecret();
    await service.auth.enableTotp({ secret, code: totpCode(secret, time.now() - STEP_MS) }, as);
    const added = await notified(email, ADDED);
    expect(added.text).toContain(`Hello ${username},\n\nAn authenticator app was added to your account`);
    expect(added.text).toContain(`${WHO()}\nIf that was not you, `);
    expect(added.html).toContain('<bdi>Firefox</bdi> on <bdi>Linux</bdi>');

    await service.auth.disableTotp({ code: totpCode(secret, time.now()) }, as);
    const removed = await notified(email, ADDED, REMOVED);
    expect(removed.text).toContain('An authenticator app was removed from your account');
    expect(removed.text).toContain(`${WHO()}\nIf that was not you, `);
  });

  test('about a passkey being added and deleted', async () => {
    const { email, caller, as } = await personAway();
    const { id } = await addPasskey(service.auth, caller, new Authenticator());
    expect((await notified(email, ADDED)).text).toContain(`A passkey was added to your account`);
    await service.auth.deleteWebauthnCredential({ id }, as);
    const removed = await notified(email, ADDED, REMOVED);
    expect(removed.text).toContain('A passkey was removed from your account');
    expect(removed.text).toContain(WHO());
  });

  test('about a changed password', async () => {
    const { email, caller } = await personAway();
    await update(service.auth, caller, { new_password: 'another good password' });
    const mail = await notified(email, PASSWORD);
    expect(mail.text).toContain('The password of your account was changed');
    expect(mail.text).toContain(`${WHO()}\nIf that was not you, `);
  });

  test('about a password reset, once', async () => {
    const { email } = await personAtHome(service.auth);
    await service.auth.forgotPassword({ email }, IN_TIME);
    const token = (await mailsWithLink(service, email, '/reset#'))[0]?.token ?? '';
    await service.auth.resetPassword({ token, password: 'another good password' }, from(AWAY, FIREFOX));
    expect((await notified(email, PASSWORD)).text).toContain(WHO());
  });

  test('about a changed address, at the old one; also about the password if both changed', async () => {
    const { email, caller } = await personAway();
    const changes = { email: `new.${email}`, new_password: 'another good password' };
    await update(service.auth, caller, changes);
    const mail = await notified(email, PASSWORD, 'Your e-mail address was changed');
    expect(mail.text).toContain('was changed to n***@e***.com');
    expect(mail.text).toContain(WHO());
    expect(await noticesTo(changes.email)).toEqual([]);
    await mailsWithLink(service, changes.email, '/verify#');
  });
});

describe('a login from a new network', () => {
  const login = (person: Person, ip: string) => service.auth.login(person, from(ip, FIREFOX));

  test('is reported once per network; that of the registration is not', async () => {
    const person = await personAtHome(service.auth);
    await login(person, HOME);
    await login(person, AWAY);
    const mail = await notified(person.email, LOGIN);
    expect(mail.text).toContain('Somebody logged in to your account from a new place');
    expect(mail.text).toContain(`${WHO()}\nIf that was you, there is nothing to do. If not, `);
    await login(person, AWAY);
    await login(person, '203.0.113.44');
    await notified(person.email, LOGIN, LOGIN);
  });

  test('is reported once for several concurrent logins', async () => {
    const person = await personAtHome(service.auth);
    const replica = await service.replica();
    const logins = [service.auth, replica, service.auth, replica].map((auth) =>
      auth.login(person, from(AWAY)),
    );
    await Promise.all(logins);
    await login(person, '203.0.113.44');
    await notified(person.email, LOGIN, LOGIN);
  });

  test('is reported after a second factor, and after a passkey alone', async () => {
    const { email, password, caller } = await personAway();
    const device = new Authenticator();
    const { id } = await addPasskey(service.auth, caller, device);
    const ticket = await ticketFor(service.auth, { email, password });
    const { options } = await service.auth.getLoginWebauthnOptions({ ticket }, IN_TIME);
    await service.auth.loginMfaWebauthn({ ticket, response: device.get(options, { id }) }, from(AWAY));
    await notified(email, ADDED, LOGIN);
    const response = device.get(await loginOptions(service.auth), { id });
    await service.auth.loginPasskey({ response }, from('203.0.113.44'));
    await notified(email, ADDED, LOGIN, LOGIN);
  });

  test('is not reported without a known network or without an address', async () => {
    const person = await personAtHome(service.auth);
    await service.auth.login(person, IN_TIME);
    await service.db.query('DELETE FROM login_locations WHERE account_id = $1', [person.user_id]);
    await login(person, AWAY);
    await login(person, '203.0.113.44'); // the only one that is reported
    await notified(person.email, LOGIN);
  });
});
