import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, sessionCaller, startAuth } from '../auth.ts';
import { ticketFor } from '../factors.ts';
import {
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
  service = await startAuth('auth_passkey_sudo');
  owner = await passkeyOwner(service.auth);
  other = await passkeyOwner(service.auth);
});
afterAll(() => service.close());

async function mfaOptions(ticket: string): Promise<string> {
  return (await service.auth.getLoginWebauthnOptions({ ticket }, IN_TIME)).options;
}
const finish = (ticket: string, response: string) =>
  service.auth.loginMfaWebauthn({ ticket, response }, IN_TIME);
const grant = (sudo_proof: string, { caller } = owner) =>
  service.auth.createSudoGrant({ sudo_proof }, { ...IN_TIME, caller });

const NO_PROOF = ['sudo_proof INVALID_SUDO_PROOF'];

describe('sudo', () => {
  test('is proven by a passkey of the account, without user verification', async () => {
    const { auth } = service;
    const { caller, device } = await passkeyOwner(
      auth,
      new Authenticator({ verifies: false, counts: false }),
    );
    const options = await sudoOptions(auth, caller);
    expect(JSON.parse(options)).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [{ id: device.lastId }],
      userVerification: 'preferred',
    });
    const { expires_at } = await auth.createSudoGrant(
      { sudo_proof: device.get(options) },
      { ...IN_TIME, caller },
    );
    expect(Date.parse(expires_at)).toBeGreaterThan(0);
  });

  test.each(['', null])('is proven by an assertion whose user handle is %j', async (user_handle) => {
    const { auth } = service;
    const { caller, device } = await passkeyOwner(auth);
    const sudo_proof = device.get(await sudoOptions(auth, caller), { user_handle });
    expect(JSON.parse(sudo_proof).response.userHandle).toBe(user_handle);
    await auth.createSudoGrant({ sudo_proof }, { ...IN_TIME, caller });
  });

  test('as an inline proof is good for one request', async () => {
    const { auth } = service;
    const person = await passkeyOwner(auth);
    const ticket = await ticketFor(auth, person);
    const { token } = await finish(ticket, person.device.get(await mfaOptions(ticket)));
    const as = { ...IN_TIME, caller: await sessionCaller(auth, token) }; // without a grant
    const sudo_proof = person.device.get(await sudoOptions(auth, as.caller));
    const { id } = person.passkey;
    expect(await auth.deleteWebauthnCredential({ id, sudo_proof }, as)).toEqual({});
    expect(await violationsOf(auth.deleteWebauthnCredential({ id, sudo_proof }, as))).toEqual(NO_PROOF);
  });

  test.each(REFUSED)('is not proven by %s', async (_what, quirks) => {
    const sudo_proof = owner.device.get(await sudoOptions(service.auth, owner.caller), quirks);
    expect(await violationsOf(grant(sudo_proof))).toEqual(NO_PROOF);
  });

  test.each(MALFORMED)('is not proven by %s', async (_what, of) => {
    const good = owner.device.get(await sudoOptions(service.auth, owner.caller));
    expect(await violationsOf(grant(of(good)))).toEqual(NO_PROOF);
  });

  test('is not proven by a challenge for another purpose or account, or twice', async () => {
    const { auth } = service;
    const ticket = await ticketFor(auth, owner);
    const theirs = JSON.parse(await sudoOptions(auth, other.caller));
    const others = [
      await mfaOptions(ticket),
      await creationOptions(auth, owner.caller),
      await loginOptions(auth),
      JSON.stringify({ ...theirs, allowCredentials: [{ id: owner.passkey.id }] }),
    ];
    for (const options of others) {
      expect(await violationsOf(grant(owner.device.get(options)))).toEqual(NO_PROOF);
    }
    const sudo_proof = owner.device.get(await sudoOptions(auth, owner.caller));
    await grant(sudo_proof);
    expect(await violationsOf(grant(sudo_proof))).toEqual(NO_PROOF);
  });

  test("is not proven by another account's passkey", async () => {
    const { challenge } = JSON.parse(await sudoOptions(service.auth, owner.caller));
    const theirs = other.device.get(JSON.stringify({ challenge }), {
      user_handle: Buffer.from(owner.user_id).toString('base64url'),
    });
    expect(await violationsOf(grant(theirs))).toEqual(NO_PROOF);
    const next = other.device.get(
      JSON.stringify({ challenge: JSON.parse(await sudoOptions(service.auth, owner.caller)).challenge }),
      { user_handle: null },
    );
    const { id } = owner.passkey;
    const disguised = tampered(tampered(next, 'id', id), 'rawId', id);
    expect(await violationsOf(grant(disguised))).toEqual(NO_PROOF);
  });

  test('has no options for an account without passkeys', async () => {
    const { caller } = await registered(service.auth);
    const options = service.auth.getSudoWebauthnOptions({}, { ...IN_TIME, caller });
    expect((await faultOf(options)).reason).toBe('BAD_REQUEST');
  });

  test('of 64 concurrent responses to one challenge at two replicas one is accepted', async () => {
    const { auth } = service;
    const replica = await service.replica();
    const { caller, device } = await passkeyOwner(auth, new Authenticator({ counts: false }));
    const sudo_proof = device.get(await sudoOptions(auth, caller));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, index) =>
        (index % 2 === 0 ? auth : replica).createSudoGrant({ sudo_proof }, { ...IN_TIME, caller }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
