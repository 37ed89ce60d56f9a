import { randomBytes } from 'node:crypto';
import { violationsOf } from '@gatehouse/dev-env/faults';
import { Authenticator, type GetQuirks } from '@gatehouse/dev-env/second-factors/authenticator';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, startAuth, whoIs } from '../auth.ts';
import { ticketFor } from '../factors.ts';
import {
  addPasskey,
  creationOptions,
  loginOptions,
  MALFORMED,
  type PasskeyOwner,
  passkeyOwner,
  sudoOptions,
  tampered,
} from '../passkeys.ts';

let service: AuthUnderTest;
let owner: PasskeyOwner;
beforeAll(async () => {
  service = await startAuth('auth_passkey_login');
  owner = await passkeyOwner(service.auth);
});
afterAll(() => service.close());

const INVALID = ['response INVALID_MFA_CODE'];
const login = (response: string) => service.auth.loginPasskey({ response }, IN_TIME);

test.each(['P-256', 'Ed25519', 'RSA'] as const)(
  'a passkey of %s logs in alone, from a new place',
  async (algorithm) => {
    const { auth, db } = service;
    const { user_id, caller, device, passkey } = await passkeyOwner(auth, new Authenticator({ algorithm }));
    const options = await loginOptions(auth);
    expect(JSON.parse(options)).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      allowCredentials: [],
      userVerification: 'required',
      timeout: 300_000,
    });

    const abroad = { ...anonymous, ip: '198.51.100.7', user_agent: 'Browser/1' };
    const answer = await auth.loginPasskey({ response: device.get(options) }, { ...IN_TIME, caller: abroad });
    expect(answer.user_id).toBe(user_id);
    expect(answer.user).toMatchObject({ id: user_id, mfa_enabled: true });
    expect(await whoIs(auth, CallerKind.CALLER_KIND_SESSION, answer.token)).toBe(user_id);

    const { credentials } = await auth.listWebauthnCredentials({}, { ...IN_TIME, caller });
    expect(credentials).toEqual([
      { ...passkey, backup_codes: [], last_used_at: expect.stringMatching(/Z$/) },
    ]);
    const { rows } = await db.query(
      "SELECT ip, detail->>'proof' AS proof FROM security_events WHERE kind = 'login' AND account_id = $1",
      [user_id],
    );
    expect(rows).toEqual([{ ip: '198.51.100.7', proof: 'passkey' }]);
  },
);

test('an authenticator without a counter can log in repeatedly', async () => {
  const { user_id, device } = await passkeyOwner(service.auth, new Authenticator({ counts: false }));
  for (let round = 0; round < 3; round++) {
    expect((await login(device.get(await loginOptions(service.auth)))).user_id).toBe(user_id);
  }
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8080'])('the page may be at %s', async (origin) => {
  const response = owner.device.get(await loginOptions(service.auth), { origin });
  expect((await login(response)).user_id).toBe(owner.user_id);
});

describe('a login is refused with', () => {
  const cases: [string, GetQuirks][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin with another scheme', { origin: 'https://127.0.0.1:8080' }],
    ['another relying party', { rp_id: 'evil.example' }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ["another site's page", { cross_origin: true }],
    ['nobody present', { user_present: false }],
    ['a user who was not verified', { user_verified: false }],
    ['no user handle', { user_handle: null }],
    ['an unknown user handle', { user_handle: Buffer.from('1').toString('base64url') }],
    ['an empty signature', { signature: Buffer.alloc(1) }],
    ['a random signature', { signature: randomBytes(71) }],
    ['a counter that starts again', { counter: 0 }],
  ];
  test.each(cases)('%s', async (_what, quirks) => {
    await login(owner.device.get(await loginOptions(service.auth))); // makes its counter greater than 0
    const response = owner.device.get(await loginOptions(service.auth), quirks);
    expect(await violationsOf(login(response))).toEqual(INVALID);
  });

  test.each(MALFORMED)('%s', async (_what, of) => {
    const good = owner.device.get(await loginOptions(service.auth));
    expect(await violationsOf(login(of(good)))).toEqual(INVALID);
  });

  test.each([
    ['response.authenticatorData', ''],
    ['response.authenticatorData', 'AAAA'],
    ['response.authenticatorData', Buffer.alloc(37, 0xff).toString('base64url')],
    ['response.authenticatorData', Buffer.alloc(45_000, 0x81).toString('base64url')],
    ['response.authenticatorData', null],
    ['response.signature', undefined],
    ['response.signature', Buffer.alloc(45_000, 0x30).toString('base64url')],
    ['response.signature', {}],
    ['response.userHandle', 7],
    ['response.userHandle', 'ä'],
  ])('%s as %j', async (path, value) => {
    const good = owner.device.get(await loginOptions(service.auth));
    expect(await violationsOf(login(tampered(good, path, value)))).toEqual(INVALID);
  });

  test('authenticator data with any bit changed', async () => {
    const options = await loginOptions(service.auth);
    const bytes = Buffer.from(JSON.parse(owner.device.get(options)).response.authenticatorData, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const good = owner.device.get(await loginOptions(service.auth));
      const data = Buffer.from(JSON.parse(good).response.authenticatorData, 'base64url');
      data[index] = (data[index] ?? 0) ^ 0x40;
      const changed = tampered(good, 'response.authenticatorData', data.toString('base64url'));
      expect(await violationsOf(login(changed))).toEqual(INVALID);
    }
  });

  test("another account's user handle, and another account's passkey under one's own", async () => {
    const other = await passkeyOwner(service.auth);
    const handle = Buffer.from(other.user_id).toString('base64url');
    const asOther = owner.device.get(await loginOptions(service.auth), { user_handle: handle });
    expect(await violationsOf(login(asOther))).toEqual(INVALID);

    const signed = owner.device.get(await loginOptions(service.auth), { user_handle: handle });
    const { id } = other.passkey;
    expect(await violationsOf(login(tampered(tampered(signed, 'id', id), 'rawId', id)))).toEqual(INVALID);
  });

  test('an unknown or deleted passkey', async () => {
    const { auth } = service;
    const stranger = new Authenticator();
    stranger.create(await creationOptions(auth, owner.caller));
    expect(await violationsOf(login(stranger.get(await loginOptions(auth))))).toEqual(INVALID);

    const device = new Authenticator();
    const { id } = await addPasskey(auth, owner.caller, device);
    expect((await login(device.get(await loginOptions(auth)))).user_id).toBe(owner.user_id);
    await auth.deleteWebauthnCredential({ id }, { ...IN_TIME, caller: owner.caller });
    expect(await violationsOf(login(device.get(await loginOptions(auth))))).toEqual(INVALID);
  });

  test('a response that was used before, successfully or not', async () => {
    const options = await loginOptions(service.auth);
    expect(await violationsOf(login(owner.device.get(options, { rp_id: 'evil.example' })))).toEqual(INVALID);
    expect(await violationsOf(login(owner.device.get(options)))).toEqual(INVALID);

    const response = owner.device.get(await loginOptions(service.auth));
    await login(response);
    expect(await violationsOf(login(response))).toEqual(INVALID);
  });

  test('a challenge for another purpose, or an expired one', async () => {
    const { auth, db } = service;
    const others = [
      await creationOptions(auth, owner.caller),
      await sudoOptions(auth, owner.caller),
      (await auth.getLoginWebauthnOptions({ ticket: await ticketFor(auth, owner) }, IN_TIME)).options,
    ];
    for (const options of others) {
      expect(await violationsOf(login(owner.device.get(options)))).toEqual(INVALID);
    }
    const response = owner.device.get(await loginOptions(auth));
    await db.query("UPDATE webauthn_challenges SET expires_at = now() - interval '1 ms'");
    expect(await violationsOf(login(response))).toEqual(INVALID);
  });

  test('the audit log records a failure, and an old counter, which indicates a copied key', async () => {
    const { auth, db } = service;
    const caller = { ...anonymous, ip: '203.0.113.77' };
    const fail = (response: string) => violationsOf(auth.loginPasskey({ response }, { ...IN_TIME, caller }));
    expect(await fail('{}')).toEqual(INVALID);
    expect(await fail(owner.device.get(await loginOptions(auth), { counter: 1 }))).toEqual(INVALID);
    const { rows } = await db.query(
      'SELECT kind, account_id, detail FROM security_events WHERE ip = $1 ORDER BY id',
      [caller.ip],
    );
    expect(rows).toEqual([
      { kind: 'login.failed', account_id: null, detail: { proof: 'passkey', signed: false } },
      { kind: 'login.failed', account_id: owner.user_id, detail: { proof: 'passkey', signed: true } },
    ]);
  });
});

describe('of 64 concurrent logins at two replicas,', () => {
  test('one response to a challenge logs in', async () => {
    const other = await service.replica();
    const { device } = await passkeyOwner(service.auth, new Authenticator({ counts: false }));
    const response = device.get(await loginOptions(service.auth));
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        (index % 2 === 0 ? service.auth : other).loginPasskey({ response }, IN_TIME).then(
          () => 'session',
          (error: unknown) => (error instanceof Error ? error.message : ''),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'session')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['session', 'Invalid form body.']));
  });

  test('one signature with a counter logs in, whatever its challenge', async () => {
    const other = await service.replica();
    const { device } = await passkeyOwner(service.auth);
    const options = await Promise.all(Array.from({ length: 64 }, () => loginOptions(service.auth)));
    const outcomes = await Promise.allSettled(
      options.map((challenge, index) =>
        (index % 2 === 0 ? service.auth : other).loginPasskey(
          { response: device.get(challenge, { counter: 9 }) },
          IN_TIME,
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test('login challenges are limited: past 100,000 each replaces the oldest', async () => {
  const { auth, db } = service;
  await db.query("SELECT setval('webauthn_challenge_slots', 99999)");
  const oldest = await loginOptions(auth); // takes slot 0
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int FROM webauthn_challenges WHERE slot IS NOT NULL',
  );
  await db.query("SELECT setval('webauthn_challenge_slots', 99999)");
  const newest = await loginOptions(auth);
  const after = await db.query('SELECT FROM webauthn_challenges WHERE slot IS NOT NULL');
  expect(after.rowCount).toBe(rows[0]?.count);
  expect(await violationsOf(login(owner.device.get(oldest)))).toEqual(INVALID);
  expect((await login(owner.device.get(newest))).user_id).toBe(owner.user_id);
});
