import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth, whoIs } from '../auth.ts';
import { ticketFor } from '../factors.ts';
import {
  addPasskey,
  creationOptions,
  loginOptions,
  MALFORMED,
  type PasskeyOwner,
  passkeyOwner,
  REFUSED,
  sudoOptions,
  tampered,
} from '../passkeys.ts';

let service: AuthUnderTest;
let owner: PasskeyOwner;
let other: PasskeyOwner;
beforeAll(async () => {
  service = await startAuth('auth_passkey_second_factor');
  owner = await passkeyOwner(service.auth);
  other = await passkeyOwner(service.auth);
});
// Resets the counted failures for each test.
beforeEach(() => service.db.query('DELETE FROM mfa_failures'));
afterAll(() => service.close());

async function mfaOptions(ticket: string): Promise<string> {
  return (await service.auth.getLoginWebauthnOptions({ ticket }, IN_TIME)).options;
}
const finish = (ticket: string, response: string) =>
  service.auth.loginMfaWebauthn({ ticket, response }, IN_TIME);

const WRONG = ['response INVALID_MFA_CODE'];
const ENDED = ['ticket INVALID_OR_EXPIRED_TICKET'];

describe('a login', () => {
  test('is completed by any passkey of the account, without user verification', async () => {
    const { auth, db } = service;
    const device = new Authenticator({ verifies: false });
    const person = await passkeyOwner(auth, device);
    const second = await addPasskey(auth, person.caller, device);
    const { ticket = '', ...answer } = await auth.login(person, IN_TIME);
    expect(answer).toMatchObject({ mfa: true, allowed_methods: ['webauthn'] });

    const options = await mfaOptions(ticket ?? '');
    expect(JSON.parse(options)).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      allowCredentials: [person.passkey.id, second.id].map((id) => ({
        id,
        type: 'public-key',
        transports: ['internal', 'hybrid'],
      })),
      userVerification: 'preferred',
      timeout: 300_000,
    });
    const response = device.get(options, { id: person.passkey.id, user_handle: null });
    const session = await finish(ticket ?? '', response);
    expect(session.user_id).toBe(person.user_id);
    expect(await whoIs(auth, CallerKind.CALLER_KIND_SESSION, session.token)).toBe(person.user_id);
    expect(await violationsOf(finish(ticket ?? '', response))).toEqual(ENDED);
    const { rows } = await db.query(
      "SELECT detail->>'proof' AS proof FROM security_events WHERE kind = 'login' AND account_id = $1",
      [person.user_id],
    );
    expect(rows).toEqual([{ proof: 'passkey' }]);
  });

  test.each(['', null])('is completed by an assertion whose user handle is %j', async (user_handle) => {
    const ticket = await ticketFor(service.auth, owner);
    const response = owner.device.get(await mfaOptions(ticket), { user_handle });
    expect((await finish(ticket, response)).user_id).toBe(owner.user_id);
  });

  test.each([0, false, [], {}, ' ', '='])(
    'is not completed if its user handle is %j',
    async (user_handle) => {
      const ticket = await ticketFor(service.auth, owner);
      const good = owner.device.get(await mfaOptions(ticket));
      expect(await violationsOf(finish(ticket, tampered(good, 'response.userHandle', user_handle)))).toEqual(
        WRONG,
      );
    },
  );

  test.each(REFUSED)('is not completed by %s', async (_what, quirks) => {
    const ticket = await ticketFor(service.auth, owner);
    const response = owner.device.get(await mfaOptions(ticket), quirks);
    expect(await violationsOf(finish(ticket, response))).toEqual(WRONG);
  });

  test.each(MALFORMED)('is not completed by %s', async (_what, of) => {
    const ticket = await ticketFor(service.auth, owner);
    const good = owner.device.get(await mfaOptions(ticket));
    expect(await violationsOf(finish(ticket, of(good)))).toEqual(WRONG);
  });

  test('is not completed by a challenge for another purpose or account', async () => {
    const { auth } = service;
    const ticket = await ticketFor(auth, owner);
    const others = [
      await sudoOptions(auth, owner.caller),
      await creationOptions(auth, owner.caller),
      await loginOptions(auth),
      JSON.stringify({
        ...JSON.parse(await mfaOptions(await ticketFor(auth, other))),
        allowCredentials: [{ id: owner.passkey.id }],
      }),
    ];
    for (const options of others) {
      expect(await violationsOf(finish(ticket, owner.device.get(options)))).toEqual(WRONG);
    }
    // Four were wrong; the fifth may still be right.
    expect((await finish(ticket, owner.device.get(await mfaOptions(ticket)))).user_id).toBe(owner.user_id);
  });

  test("is not completed by another account's passkey", async () => {
    const ticket = await ticketFor(service.auth, owner);
    const { challenge } = JSON.parse(await mfaOptions(ticket));
    const theirs = other.device.get(JSON.stringify({ challenge }));
    expect(await violationsOf(finish(ticket, theirs))).toEqual(WRONG);
    const handle = Buffer.from(owner.user_id).toString('base64url');
    const next = JSON.parse(await mfaOptions(ticket));
    const disguised = other.device.get(JSON.stringify({ challenge: next.challenge }), {
      user_handle: handle,
    });
    expect(await violationsOf(finish(ticket, disguised))).toEqual(WRONG);
  });

  test('ends with its fifth wrong response', async () => {
    const ticket = await ticketFor(service.auth, owner);
    const options = await mfaOptions(ticket);
    for (let count = 0; count < 5; count++) expect(await violationsOf(finish(ticket, '{}'))).toEqual(WRONG);
    expect(await violationsOf(finish(ticket, owner.device.get(options)))).toEqual(ENDED);
    expect(await violationsOf(mfaOptions(ticket))).toEqual(ENDED);
    const { rows } = await service.db.query(
      "SELECT kind, account_id, detail FROM security_events WHERE kind = 'login.mfa_failed' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      { kind: 'login.mfa_failed', account_id: owner.user_id, detail: { proof: 'passkey', signed: false } },
    ]);
  });

  test('has options only with a live ticket and for an account with passkeys', async () => {
    const { auth } = service;
    for (const ticket of ['', 'unknown', '\0', 'x'.repeat(60_000)]) {
      expect(await violationsOf(mfaOptions(ticket))).toEqual(ENDED);
    }
    const person = await passkeyOwner(auth);
    const ticket = await ticketFor(auth, person);
    await auth.deleteWebauthnCredential({ id: person.passkey.id }, { ...IN_TIME, caller: person.caller });
    expect((await faultOf(mfaOptions(ticket))).reason).toBe('BAD_REQUEST');
  });

  test('of 64 concurrent right responses to different challenges one gets the session', async () => {
    const { auth, db } = service;
    const replica = await service.replica();
    const person = await passkeyOwner(auth, new Authenticator({ counts: false }));
    const ticket = await ticketFor(auth, person);
    // Attempts are not limited here: the ticket alone must accept only one.
    await db.query('UPDATE mfa_tickets SET attempts = -64 WHERE account_id = $1', [person.user_id]);
    const responses: string[] = [];
    for (let count = 0; count < 10; count++) responses.push(person.device.get(await mfaOptions(ticket)));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, index) =>
        (index % 2 === 0 ? auth : replica).loginMfaWebauthn(
          { ticket, response: responses[index % responses.length] ?? '' },
          IN_TIME,
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rowCount } = await db.query('SELECT FROM sessions WHERE account_id = $1', [person.user_id]);
    expect(rowCount).toBe(2); // and that of the registration
  });
});
