import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, startAuth } from '../auth.ts';
import {
  AWAY,
  authorizationMails,
  FIREFOX,
  from,
  HOME,
  heldLogin,
  mailedToken,
  type Person,
  personAtHome,
} from './held.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_held_resend');
});
afterAll(() => service.close());

const poll = (ticket: string) => service.auth.pollIpAuthorization({ ticket }, from(AWAY));
const authorize = (token: string) => service.auth.authorizeIp({ token }, from(HOME));

describe('a resend of the mail', () => {
  const resend = (ticket: string) =>
    service.auth.resendIpAuthorization({ ticket }, from('192.0.2.77', 'Liar'));
  const later = ({ user_id }: Person, seconds: number) =>
    service.db.query(
      `UPDATE held_logins SET created_at = created_at - make_interval(secs => $2),
                              expires_at = expires_at - make_interval(secs => $2) WHERE account_id = $1`,
      [user_id, seconds],
    );

  test('is possible once, after 30 seconds, and names the client of the login', async () => {
    const person = await personAtHome(service.auth);
    const { ticket } = await heldLogin(service.auth, person, AWAY, FIREFOX);
    const early = await faultOf(resend(ticket));
    expect(early).toMatchObject({ reason: 'BAD_REQUEST', violations: [] });
    expect(early.members.resend_available_in).toBeGreaterThan(20);
    expect(early.members.resend_available_in).toBeLessThanOrEqual(30);

    await later(person, 30);
    await resend(ticket);
    const mails = await authorizationMails(service, person, 2);
    for (const { text } of mails) {
      expect(text).toContain('Address: 203.0.*.*\n');
      expect(text).toContain('Firefox on Linux');
      expect(text).not.toContain('192.0.');
    }
    expect(new Set(mails.map(({ token }) => token)).size).toBe(2);

    const again = await faultOf(resend(ticket));
    expect(again.reason).toBe('BAD_REQUEST');
    expect(again.members).toEqual({ resend_available_in: null });
    await authorizationMails(service, person, 2);
  });

  test('leaves both tokens valid until one is used', async () => {
    for (const chosen of [0, 1]) {
      const person = await personAtHome(service.auth);
      const { ticket } = await heldLogin(service.auth, person);
      await later(person, 31);
      await resend(ticket);
      const tokens = (await authorizationMails(service, person, 2)).map(({ token }) => token);
      await authorize(tokens[chosen] ?? '');
      expect(await violationsOf(authorize(tokens[1 - chosen] ?? ''))).toEqual([
        'token INVALID_OR_EXPIRED_TOKEN',
      ]);
      expect(await poll(ticket)).toMatchObject({ completed: true });
    }
  });

  test('is refused for an authorized login', async () => {
    const person = await personAtHome(service.auth);
    const { ticket } = await heldLogin(service.auth, person);
    await authorize(await mailedToken(service, person));
    await later(person, 60);
    expect(await faultOf(resend(ticket))).toMatchObject({
      reason: 'BAD_REQUEST',
      members: { resend_available_in: null },
    });
    expect(await poll(ticket)).toMatchObject({ completed: true });
  });
});
