import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, sessionCaller, startAuth, tokenOf } from '../auth.ts';
import {
  auditLogOf,
  insertUnusablePasskey,
  type Person,
  person,
  personWithTotp,
  STEP_MS,
  standingClock,
  together,
  totpCode,
  wrongCode,
} from '../factors.ts';

const time = standingClock();
let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_sudo', { clock: time.clock });
});
afterAll(() => service.close());

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });

/** An operation under sudo. It succeeds for accounts with a second factor. */
const sudoOperation = (who: Pick<Person, 'caller'>, proof = {}) =>
  service.auth.listBackupCodes(proof, as(who));

async function secondSession({ email, password }: Person): Promise<Pick<Person, 'caller'>> {
  const token = tokenOf(await service.auth.login({ email, password }, IN_TIME));
  return { caller: await sessionCaller(service.auth, token) };
}

const refused = async (call: Promise<unknown>) => (await faultOf(call)).reason;

describe('without a second factor', () => {
  const NEEDED = {
    reason: 'SUDO_MODE_REQUIRED',
    members: { has_mfa: false, methods: { password: true, totp: false, webauthn: false } },
  };

  test('the password is the proof, and it grants five minutes', async () => {
    const someone = await person(service.auth);
    expect(await faultOf(sudoOperation(someone))).toMatchObject(NEEDED);
    expect(await service.auth.getSudoMethods({}, as(someone))).toEqual({
      has_mfa: false,
      password: true,
      totp: false,
      webauthn: false,
    });
    const before = Date.now();
    const { expires_at } = await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(expires_at) - before).toBeGreaterThan(295_000);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(300_000 + 1000);
    expect(await refused(sudoOperation(someone))).toBe('BAD_REQUEST'); // proven; there is no second factor
    expect(await auditLogOf(service, someone.user_id)).toEqual(['account.registered', 'sudo.granted']);
  });

  test('a wrong proof is reported at its member, also with a grant', async () => {
    const someone = await person(service.auth);
    const wrong = async () => [
      await violationsOf(sudoOperation(someone, { password: 'wrong password' })),
      await violationsOf(sudoOperation(someone, { password: '' })),
      await violationsOf(sudoOperation(someone, { password: `${someone.password}\0` })),
      await violationsOf(sudoOperation(someone, { password: 'x'.repeat(60_000) })),
      await violationsOf(sudoOperation(someone, { mfa_code: '123456' })),
      await violationsOf(sudoOperation(someone, { sudo_proof: '{}' })),
      await violationsOf(sudoOperation(someone, { sudo_proof: 'not JSON' })),
      await violationsOf(sudoOperation(someone, { password: 'wrong', mfa_code: '', sudo_proof: '""' })),
    ];
    const violations = [
      ...Array.from({ length: 4 }, () => ['password INVALID_PASSWORD']),
      ['mfa_code INVALID_MFA_CODE'],
      ['sudo_proof INVALID_SUDO_PROOF'],
      ['sudo_proof INVALID_SUDO_PROOF'],
      ['password INVALID_PASSWORD', 'mfa_code INVALID_MFA_CODE', 'sudo_proof INVALID_SUDO_PROOF'],
    ];
    expect(await wrong()).toEqual(violations);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    expect(await wrong()).toEqual(violations);
    const failures = (await auditLogOf(service, someone.user_id)).filter((kind) => kind === 'sudo.failed');
    expect(failures).toHaveLength(20);
  });

  test('an account without a password has no proof', async () => {
    const someone = await person(service.auth);
    await service.db.query('UPDATE accounts SET password_hash = NULL WHERE id = $1', [someone.user_id]);
    expect(await violationsOf(sudoOperation(someone, { password: someone.password }))).toEqual([
      'password INVALID_PASSWORD',
    ]);
  });
});

describe('with a second factor', () => {
  test('a password is refused, right or wrong; codes work inline and for a grant', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const needed = {
      reason: 'SUDO_MODE_REQUIRED',
      members: { has_mfa: true, methods: { password: false, totp: true, webauthn: false } },
    };
    for (const password of [someone.password, 'wrong password']) {
      expect(await faultOf(sudoOperation(someone, { password }))).toMatchObject(needed);
      expect(await faultOf(service.auth.createSudoGrant({ password }, as(someone)))).toMatchObject(needed);
    }
    const mfa_code = totpCode(someone.secret, time.now());
    expect((await sudoOperation(someone, { mfa_code })).backup_codes).toHaveLength(10);
    expect(await violationsOf(sudoOperation(someone, { mfa_code }))).toEqual(['mfa_code INVALID_MFA_CODE']);
    expect(await faultOf(sudoOperation(someone))).toMatchObject(needed); // an inline proof grants nothing

    const { backup_codes } = await sudoOperation(someone, { mfa_code: someone.codes[0] });
    expect(backup_codes.map(({ consumed }) => consumed)).toEqual([
      true,
      ...Array.from({ length: 9 }, () => false),
    ]);
    await service.auth.createSudoGrant({ mfa_code: someone.codes[1] }, as(someone));
    expect((await sudoOperation(someone)).backup_codes).toHaveLength(10);
    // With a second factor, a password is no proof even beside a grant (docs/credentials.md#password-with-mfa).
    expect(await faultOf(sudoOperation(someone, { password: someone.password }))).toMatchObject(needed);
  });

  test('after a second factor was added the password is no proof', async () => {
    const someone = await person(service.auth);
    await insertUnusablePasskey(service, someone.user_id);
    expect(await faultOf(sudoOperation(someone, { password: someone.password }))).toMatchObject({
      members: { has_mfa: true, methods: { password: false, totp: false, webauthn: true } },
    });
  });

  test('a wrong code is reported at its member and in the audit log', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const wrong = wrongCode(someone.secret, time.now());
    for (const mfa_code of [wrong, '', 'x'.repeat(100_000), '00000-00000', totpCode(someone.secret, 0)]) {
      expect(await violationsOf(sudoOperation(someone, { mfa_code }))).toEqual(['mfa_code INVALID_MFA_CODE']);
    }
    expect(
      (await auditLogOf(service, someone.user_id)).filter((kind) => kind === 'sudo.failed'),
    ).toHaveLength(5);
  });

  test('of 64 concurrent callers at two replicas with one backup code one succeeds', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const { answers, refusals } = await together([service.auth, replica], (auth) =>
      auth.createSudoGrant({ mfa_code: someone.codes[7] }, as(someone)),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ 'mfa_code INVALID_MFA_CODE': 63 });
  });
});

describe('a grant', () => {
  test('is limited to the session of the request', async () => {
    const someone = await person(service.auth);
    const second = await secondSession(someone);
    const stranger = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    expect(await refused(sudoOperation(someone))).toBe('BAD_REQUEST');
    expect(await refused(sudoOperation(second))).toBe('SUDO_MODE_REQUIRED');
    expect(await refused(sudoOperation(stranger))).toBe('SUDO_MODE_REQUIRED');
    // A session of another account has no grant.
    const mixed = { caller: { ...stranger.caller, credential_id: someone.caller.credential_id } };
    expect(await refused(sudoOperation(mixed))).toBe('UNAUTHORIZED');
  });

  test('is accepted at every replica and renewed by another proof', async () => {
    const someone = await person(service.auth);
    const replica = await service.replica();
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    expect(await refused(replica.listBackupCodes({}, as(someone)))).toBe('BAD_REQUEST');
    expect(await refused(replica.createSudoGrant({}, as(someone)))).toBe('SUDO_MODE_REQUIRED'); // no proof, no renewal
    await service.db.query(
      "UPDATE sudo_grants SET expires_at = now() + interval '1 second' WHERE session_id = $1",
      [someone.caller.credential_id],
    );
    const { expires_at } = await replica.createSudoGrant({ password: someone.password }, as(someone));
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 200_000);
  });

  test('ends after its time', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    await service.db.query(
      "UPDATE sudo_grants SET expires_at = now() - interval '1 s' WHERE session_id = $1",
      [someone.caller.credential_id],
    );
    expect(await refused(sudoOperation(someone))).toBe('SUDO_MODE_REQUIRED');
  });

  test('ends with its session', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    await service.auth.logout({}, as(someone));
    expect(await refused(sudoOperation(someone))).toBe('UNAUTHORIZED');
    expect(await refused(sudoOperation(someone, { password: someone.password }))).toBe('UNAUTHORIZED');
    expect(await refused(service.auth.createSudoGrant({ password: someone.password }, as(someone)))).toBe(
      'UNAUTHORIZED',
    );
    expect(await refused(service.auth.getSudoMethods({}, as(someone)))).toBe('UNAUTHORIZED');
    const { rowCount } = await service.db.query('SELECT FROM sudo_grants WHERE session_id = $1', [
      someone.caller.credential_id,
    ]);
    expect(rowCount).toBe(0);
  });

  test('requires a session with an ID', async () => {
    const someone = await person(service.auth);
    const nameless = as({ caller: { ...someone.caller, credential_id: '' } });
    expect(await refused(service.auth.getSudoMethods({}, nameless))).toBe('UNAUTHORIZED');
    const wrong = { email: someone.email, password: 'wrong password' };
    expect(await refused(service.auth.login(wrong, nameless))).toBe('INVALID_FORM_BODY');
  });

  test('requires a session', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    for (const caller of [
      anonymous,
      { ...someone.caller, kind: CallerKind.CALLER_KIND_BOT },
      { ...someone.caller, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN },
    ]) {
      expect(await refused(sudoOperation({ caller }))).toBe('UNAUTHORIZED');
      expect(
        await refused(service.auth.createSudoGrant({ password: someone.password }, as({ caller }))),
      ).toBe('UNAUTHORIZED');
      expect(await refused(service.auth.getSudoMethods({}, as({ caller })))).toBe('UNAUTHORIZED');
    }
  });

  test.each([
    ['a new password', 'UPDATE accounts SET password_changed_at = now() WHERE id = $1', 'INVALID_FORM_BODY'],
    ['logout', 'DELETE FROM sessions WHERE account_id = $1', 'UNAUTHORIZED'],
    ['deletion of the account', 'DELETE FROM accounts WHERE id = $1', 'UNAUTHORIZED'],
  ])('is not made if %s happens meanwhile', async (_what, change, reason) => {
    const someone = await person(service.auth);
    const changing = await service.db.connect();
    try {
      await changing.query('BEGIN');
      await changing.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [someone.user_id]);
      await changing.query(change, [someone.user_id]);
      const refusal = refused(service.auth.createSudoGrant({ password: someone.password }, as(someone)));
      await untilWaitingForLock(changing, 1);
      await changing.query('COMMIT');
      expect(await refusal).toBe(reason);
    } finally {
      changing.release();
    }
    expect(
      (
        await service.db.query('SELECT FROM sudo_grants WHERE session_id = $1', [
          someone.caller.credential_id,
        ])
      ).rowCount,
    ).toBe(0);
  });
});

describe('backup codes', () => {
  test('can be read again and replaced', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    await service.auth.createSudoGrant({ mfa_code: totpCode(someone.secret, time.now()) }, as(someone));
    const listed = await sudoOperation(someone);
    expect(listed.backup_codes).toEqual(someone.codes.map((code) => ({ code, consumed: false })));

    const { backup_codes } = await sudoOperation(someone, { regenerate: true });
    const renewed = backup_codes.map(({ code }) => code);
    expect(new Set([...renewed, ...someone.codes]).size).toBe(20);
    expect((await sudoOperation(someone, { regenerate: false })).backup_codes).toEqual(backup_codes);
    expect(await violationsOf(sudoOperation(someone, { mfa_code: someone.codes[0] }))).toEqual([
      'mfa_code INVALID_MFA_CODE',
    ]);
    expect((await sudoOperation(someone, { mfa_code: renewed[0] })).backup_codes[0]).toEqual({
      code: renewed[0],
      consumed: true,
    });
  });

  test('replaced by 64 concurrent callers at two replicas are the ten that one of them got', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    await service.auth.createSudoGrant({ mfa_code: totpCode(someone.secret, time.now()) }, as(someone));
    const { answers, refusals } = await together([service.auth, replica], (auth) =>
      auth.listBackupCodes({ regenerate: true }, as(someone)),
    );
    expect(refusals).toEqual({});
    const { backup_codes } = await sudoOperation(someone);
    expect(backup_codes).toHaveLength(10);
    expect(answers.map((answer) => answer.backup_codes)).toContainEqual(backup_codes);
  });

  test('exist for an account with only passkeys, too', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    await insertUnusablePasskey(service, someone.user_id);
    expect((await sudoOperation(someone)).backup_codes).toEqual([]);
    const { backup_codes } = await sudoOperation(someone, { regenerate: true });
    expect(backup_codes).toHaveLength(10);
    const { rows } = await service.db.query('SELECT * FROM backup_codes WHERE account_id = $1', [
      someone.user_id,
    ]);
    for (const { code } of backup_codes) {
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(Buffer.concat(rows.map((row) => row.code)).includes(code.replace('-', ''))).toBe(false);
    }
  });
});

test('a TOTP step is valid for a login or a proof, not both', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const { ticket } = await service.auth.login(someone, IN_TIME);
  const code = totpCode(someone.secret, time.now() + STEP_MS);
  await service.auth.loginMfaTotp({ ticket: ticket ?? '', code }, IN_TIME);
  expect(await violationsOf(sudoOperation(someone, { mfa_code: code }))).toEqual([
    'mfa_code INVALID_MFA_CODE',
  ]);
});
