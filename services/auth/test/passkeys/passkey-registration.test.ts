import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, sessionCaller, startAuth } from '../auth.ts';
import { addPasskey, creationOptions, passkeyOwner } from '../passkeys.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_passkey_registration');
});
afterAll(() => service.close());

const INVALID = ['response INVALID_FORMAT'];

describe('a passkey', () => {
  test.each(['P-256', 'Ed25519', 'RSA'] as const)('of %s is added, listed and renamed', async (algorithm) => {
    const { auth } = service;
    const person = await registered(auth, { global_name: 'Per Son' });
    const as = { ...IN_TIME, caller: person.caller };
    expect(await auth.listWebauthnCredentials({}, as)).toEqual({ credentials: [] });

    const options = await creationOptions(auth, person.caller);
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'localhost', name: 'Gatehouse' },
      user: {
        id: Buffer.from(person.user_id).toString('base64url'),
        name: person.user?.username,
        displayName: 'Per Son',
      },
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [],
    });

    const device = new Authenticator({ algorithm });
    const response = device.create(options);
    const answer = await auth.createWebauthnCredential(
      { name: '  My key ', response, password: 'correct horse battery' },
      as,
    );
    expect(answer.credential).toEqual({
      id: device.lastId,
      name: 'My key',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      last_used_at: null,
      backup_codes: expect.any(Array),
    });
    const listed = { ...answer.credential, backup_codes: [] };
    expect(await auth.listWebauthnCredentials({}, as)).toEqual({ credentials: [listed] });
    const renamed = await auth.updateWebauthnCredential({ id: device.lastId, name: ' Other ' }, as);
    expect(renamed.credential).toEqual({ ...listed, name: 'Other' });
    expect(await auth.listWebauthnCredentials({}, as)).toEqual({ credentials: [renamed.credential] });

    const { user } = await auth.getCurrentUser({}, as);
    expect(user).toMatchObject({ mfa_enabled: true, authenticator_types: ['webauthn'] });
    expect(JSON.parse(await creationOptions(auth, person.caller)).excludeCredentials).toEqual([
      { id: device.lastId, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });

  test('is deleted; backup codes are deleted with the last factor', async () => {
    const { auth, db } = service;
    const { caller, user_id, device, passkey } = await passkeyOwner(auth);
    const as = { ...IN_TIME, caller };
    const second = await addPasskey(auth, caller, device);
    const codes = async () =>
      (await db.query('SELECT FROM backup_codes WHERE account_id = $1', [user_id])).rowCount;

    await auth.deleteWebauthnCredential({ id: passkey.id }, as);
    expect((await auth.listWebauthnCredentials({}, as)).credentials).toEqual([second]);
    expect(await codes()).toBe(10);
    expect((await faultOf(auth.deleteWebauthnCredential({ id: passkey.id }, as))).reason).toBe('NOT_FOUND');
    await auth.deleteWebauthnCredential({ id: second.id }, as);
    expect(await codes()).toBe(0);
    expect((await auth.getCurrentUser({}, as)).user).toMatchObject({ mfa_enabled: false });

    const { rows } = await db.query(
      "SELECT kind, detail FROM security_events WHERE account_id = $1 AND kind LIKE 'mfa.passkey%' ORDER BY id",
      [user_id],
    );
    expect(rows).toEqual([
      { kind: 'mfa.passkey_added', detail: { passkey: passkey.id } },
      { kind: 'mfa.passkey_added', detail: { passkey: second.id } },
      { kind: 'mfa.passkey_removed', detail: { passkey: passkey.id } },
      { kind: 'mfa.passkey_removed', detail: { passkey: second.id } },
    ]);
  });

  test('as the first factor comes with ten backup codes, which are accepted for logins and sudo; the next one has none', async () => {
    const { auth } = service;
    const owner = await passkeyOwner(auth);
    const as = { ...IN_TIME, caller: owner.caller };
    const codes = owner.passkey.backup_codes.map(({ code }) => code);
    expect(new Set(codes).size).toBe(10);
    expect((await auth.listBackupCodes({}, as)).backup_codes).toEqual(owner.passkey.backup_codes);

    const login = await auth.login(owner, IN_TIME);
    expect(login).toMatchObject({ mfa: true, allowed_methods: ['webauthn'], backup_codes: true });
    const finish = (code = '') => auth.loginMfaTotp({ ticket: login.ticket ?? '', code }, IN_TIME);
    expect((await finish(codes[0])).user_id).toBe(owner.user_id);
    await auth.createSudoGrant({ mfa_code: codes[1] ?? '' }, as);

    // The codes are used up but not deleted, so the next passkey is not the first.
    for (const code of codes.slice(2)) await auth.createSudoGrant({ mfa_code: code }, as);
    expect(await auth.login(owner, IN_TIME)).toMatchObject({ backup_codes: false });
    const second = await addPasskey(auth, owner.caller, owner.device);
    expect(second.backup_codes).toEqual([]);

    // Without a factor the codes are deleted. The next first factor has new ones.
    for (const { id } of [owner.passkey, second]) await auth.deleteWebauthnCredential({ id }, as);
    expect((await auth.login(owner, IN_TIME)).token).toEqual(expect.any(String));
    await auth.createSudoGrant({ password: owner.password }, as);
    const again = await addPasskey(auth, owner.caller, owner.device);
    expect(again.backup_codes.map(({ code }) => code).filter((code) => codes.includes(code))).toEqual([]);
    expect(again.backup_codes).toHaveLength(10);
  });

  test('of several concurrent first ones comes with one set of codes', async () => {
    const { auth } = service;
    const { caller } = await registered(auth);
    await auth.createSudoGrant({ password: 'correct horse battery' }, { ...IN_TIME, caller });
    const added = await Promise.all([1, 2, 3].map(() => addPasskey(auth, caller, new Authenticator())));
    expect(added.map(({ backup_codes }) => backup_codes.length).sort()).toEqual([0, 0, 10]);
  });

  test('cannot have NUL in its name', async () => {
    const { caller, passkey } = await passkeyOwner(service.auth);
    const request = { id: passkey.id, name: 'a\0b' };
    const renaming = service.auth.updateWebauthnCredential(request, { ...IN_TIME, caller });
    expect((await faultOf(renaming)).violations).toMatchObject([{ path: 'name', code: 'INVALID_FORMAT' }]);
  });

  test('cannot be renamed or deleted by another account', async () => {
    const { auth } = service;
    const [owner, other] = await Promise.all([passkeyOwner(auth), passkeyOwner(auth)]);
    const as = { ...IN_TIME, caller: other.caller };
    for (const id of [owner.passkey.id, '', 'AAAA', 'not base64url!', '\0', 'A'.repeat(60_000)]) {
      expect((await faultOf(auth.updateWebauthnCredential({ id, name: 'Mine' }, as))).reason).toBe(
        'NOT_FOUND',
      );
      expect((await faultOf(auth.deleteWebauthnCredential({ id }, as))).reason).toBe('NOT_FOUND');
    }
    const { credentials } = await auth.listWebauthnCredentials({}, { ...IN_TIME, caller: owner.caller });
    expect(credentials).toEqual([{ ...owner.passkey, backup_codes: [] }]);
  });

  test('needs a session, and a proof to be added or deleted', async () => {
    const { auth } = service;
    const { caller, device, passkey, email, password } = await passkeyOwner(auth);
    const ticket = (await auth.login({ email, password }, IN_TIME)).ticket ?? '';
    const { options } = await auth.getLoginWebauthnOptions({ ticket }, IN_TIME);
    const login = await auth.loginMfaWebauthn({ ticket, response: device.get(options) }, IN_TIME);
    const as = { ...IN_TIME, caller: await sessionCaller(auth, login.token) }; // without a grant

    const response = device.create(await creationOptions(auth, caller));
    const refused = [
      auth.createWebauthnCredential({ name: 'Key', response }, as),
      auth.deleteWebauthnCredential({ id: passkey.id }, as),
      auth.deleteWebauthnCredential({ id: passkey.id, password }, as),
    ];
    for (const { reason } of await Promise.all(refused.map(faultOf)))
      expect(reason).toBe('SUDO_MODE_REQUIRED');
    const withoutSession = [
      auth.listWebauthnCredentials({}, IN_TIME),
      auth.getWebauthnRegistrationOptions({}, IN_TIME),
      auth.getSudoWebauthnOptions({}, IN_TIME),
      auth.createWebauthnCredential({ name: 'Key', response }, IN_TIME),
      auth.updateWebauthnCredential({ id: passkey.id, name: 'Key' }, IN_TIME),
      auth.deleteWebauthnCredential({ id: passkey.id }, IN_TIME),
    ];
    for (const { reason } of await Promise.all(withoutSession.map(faultOf)))
      expect(reason).toBe('UNAUTHORIZED');

    // The refusal for lack of a proof did not use up the challenge.
    await auth.createWebauthnCredential({ name: 'Key', response }, { ...IN_TIME, caller });
  });
});

test('self-attestation, names of 100 characters and unknown transports are accepted', async () => {
  const { auth, db } = service;
  const { caller } = await passkeyOwner(auth);
  const device = new Authenticator({ attests_itself: true });
  const response = device.create(await creationOptions(auth, caller), {
    transports: ['usb', 'usb', 'telepathy', 7, { toString: 'nfc' }],
  });
  const name = '🔑'.repeat(100);
  const { credential } = await auth.createWebauthnCredential({ name, response }, { ...IN_TIME, caller });
  expect(credential?.name).toBe(name);
  const { rows } = await db.query('SELECT transports FROM webauthn_credentials WHERE id = $1', [
    device.lastId,
  ]);
  expect(rows).toEqual([{ transports: ['usb'] }]);
});

test('an account has ten passkeys at most, however many are added concurrently', async () => {
  const { auth } = service;
  const other = await service.replica();
  const { caller } = await passkeyOwner(auth);
  const as = { ...IN_TIME, caller };
  for (let count = 2; count <= 8; count++) await addPasskey(auth, caller, new Authenticator());

  // Ten challenges can be live, so ten devices can register concurrently.
  const responses: string[] = [];
  for (let count = 0; count < 10; count++) {
    responses.push(new Authenticator().create(await creationOptions(auth, caller)));
  }
  const outcomes = await Promise.all(
    responses.map((response, index) =>
      (index % 2 === 0 ? auth : other).createWebauthnCredential({ name: 'Key', response }, as).then(
        () => 'added',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(2);
  expect(new Set(outcomes)).toEqual(new Set(['added', 'An account has at most 10 passkeys.']));
  expect((await auth.listWebauthnCredentials({}, as)).credentials).toHaveLength(10);
  expect((await faultOf(auth.getWebauthnRegistrationOptions({}, as))).reason).toBe('BAD_REQUEST');
});

test('of 64 concurrent responses to one challenge one adds a passkey', async () => {
  const { auth } = service;
  const other = await service.replica();
  const { caller } = await passkeyOwner(auth);
  const options = await creationOptions(auth, caller);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 64 }, (_, index) =>
      (index % 2 === 0 ? auth : other).createWebauthnCredential(
        { name: `Key ${index}`, response: new Authenticator().create(options) },
        { ...IN_TIME, caller },
      ),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a passkey cannot be added if the session has ended meanwhile', async () => {
  const { auth, db } = service;
  const { caller } = await passkeyOwner(auth);
  const as = { ...IN_TIME, caller };
  const response = new Authenticator().create(await creationOptions(auth, caller));
  const change = await db.connect();
  try {
    await change.query('BEGIN');
    await change.query("UPDATE accounts SET password_hash = 'another' WHERE id = $1", [caller.account_id]);
    const attempt = faultOf(auth.createWebauthnCredential({ name: 'Key', response }, as));
    await untilWaitingForLock(change, 1);
    await change.query('DELETE FROM sessions WHERE account_id = $1', [caller.account_id]);
    await change.query('COMMIT');
    expect((await attempt).reason).toBe('UNAUTHORIZED');
  } finally {
    change.release();
  }
});

test('an account has at most ten live challenges, the newest ones', async () => {
  const { auth, db } = service;
  const other = await service.replica();
  const { caller } = await passkeyOwner(auth);
  const first = await creationOptions(auth, caller);
  for (let round = 0; round < 5; round++) {
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, index) => creationOptions(index % 2 === 0 ? auth : other, caller)),
    );
    expect(new Set(all.map((options) => JSON.parse(options).challenge)).size).toBe(16);
    const { rowCount } = await db.query('SELECT FROM webauthn_challenges WHERE account_id = $1', [
      caller.account_id,
    ]);
    expect(rowCount).toBe(10);
  }
  const add = (response: string) =>
    auth.createWebauthnCredential({ name: 'Key', response }, { ...IN_TIME, caller });
  expect(await violationsOf(add(new Authenticator().create(first)))).toEqual(INVALID);
});
