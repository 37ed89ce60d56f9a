import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { AWAY, expire, from, HOME, heldLogin, mailedToken, type Person, personAtHome } from './held.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_held_refusals');
});
afterAll(() => service.close());

const poll = (ticket: string) => service.auth.pollIpAuthorization({ ticket }, from(AWAY));
const authorize = (token: string) => service.auth.authorizeIp({ token }, from(HOME));

describe('an unusable ticket or token gets the same error, whatever the reason', () => {
  const unusable: [string, () => Promise<string>][] = [
    ['unknown', async () => 'A'.repeat(43)],
    ['empty', async () => ''],
    ['a NUL', async () => '\0'],
    ['a megabyte', async () => 'x'.repeat(1_000_000)],
  ];

  test.each([
    ...unusable,
    ['used', usedTicket],
    ['expired', expiredTicket],
    ['expired after it was authorized', expiredAuthorizedTicket],
    ['of a deleted account', ticketOfDeletedAccount],
    ['the token of its mail', async () => (await waiting()).token],
  ])('a ticket that is %s', async (_what, make) => {
    const ticket = await make();
    const expected = {
      status: 3,
      reason: 'INVALID_FORM_BODY',
      message: 'Invalid form body.',
      members: {},
      violations: [
        {
          path: 'ticket',
          code: 'INVALID_OR_EXPIRED_TICKET',
          message: 'The ticket is unknown, used or expired.',
        },
      ],
    };
    expect(await faultOf(poll(ticket))).toMatchObject(expected);
    expect(await faultOf(service.auth.resendIpAuthorization({ ticket }, IN_TIME))).toMatchObject(expected);
  });

  test.each([
    ...unusable,
    ['used', usedToken],
    ['expired', async () => (await expired()).token],
    ['the ticket of its login', async () => (await waiting()).ticket],
  ])('a token that is %s', async (_what, make) => {
    expect(await faultOf(authorize(await make()))).toMatchObject({
      status: 3,
      reason: 'INVALID_FORM_BODY',
      message: 'Invalid form body.',
      members: {},
      violations: [
        {
          path: 'token',
          code: 'INVALID_OR_EXPIRED_TOKEN',
          message: 'The token is unknown, used or expired.',
        },
      ],
    });
  });

  async function waiting(): Promise<{ person: Person; ticket: string; token: string }> {
    const person = await personAtHome(service.auth);
    const { ticket } = await heldLogin(service.auth, person);
    return { person, ticket, token: await mailedToken(service, person) };
  }

  async function expired(): Promise<Awaited<ReturnType<typeof waiting>>> {
    const held = await waiting();
    await expire(service, held.person);
    return held;
  }

  async function usedTicket(): Promise<string> {
    const { ticket, token } = await waiting();
    await authorize(token);
    await poll(ticket);
    return ticket;
  }

  async function usedToken(): Promise<string> {
    const { ticket, token } = await waiting();
    await authorize(token);
    expect(await violationsOf(authorize(token))).toEqual(['token INVALID_OR_EXPIRED_TOKEN']);
    await poll(ticket);
    return token;
  }

  async function expiredTicket(): Promise<string> {
    return (await expired()).ticket;
  }

  async function expiredAuthorizedTicket(): Promise<string> {
    const { person, ticket, token } = await waiting();
    await authorize(token);
    await expire(service, person);
    return ticket;
  }

  async function ticketOfDeletedAccount(): Promise<string> {
    const { person, ticket } = await waiting();
    await service.db.query('DELETE FROM accounts WHERE id = $1', [person.user_id]);
    return ticket;
  }
});
