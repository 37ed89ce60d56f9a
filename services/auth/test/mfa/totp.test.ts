import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { cpuStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';
import {
  auditLogOf,
  insertUnusablePasskey,
  newTotpSecret,
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
  service = await startAuth('auth_totp', { clock: time.clock });
});
afterAll(() => service.close());

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });

test('the codes of this test match RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'; // "12345678901234567890"
  expect([59_000, 1_111_111_109_000, 20_000_000_000_000].map((ms) => totpCode(secret, ms))).toEqual([
    '287082',
    '081804',
    '353130',
  ]);
});

describe('enabling TOTP', () => {
  test('returns ten backup codes, and logins need a second factor', async () => {
    const someone = await person(service.auth);
    const secret = newTotpSecret();
    const code = totpCode(secret, time.now());
    const { backup_codes } = await service.auth.enableTotp(
      { secret, code, password: someone.password },
      as(someone),
    );

    expect(new Set(backup_codes.map((backup) => backup.code)).size).toBe(10);
    for (const backup of backup_codes) {
      expect(backup).toEqual({ code: expect.stringMatching(/^[0-9a-z]{5}-[0-9a-z]{5}$/), consumed: false });
    }
    const { user } = await service.auth.getCurrentUser({}, as(someone));
    expect(user).toMatchObject({ mfa_enabled: true, authenticator_types: ['totp'] });
    expect(await service.auth.login(someone, IN_TIME)).toMatchObject({
      mfa: true,
      allowed_methods: ['totp'],
    });
    expect(await auditLogOf(service, someone.user_id)).toEqual(['account.registered', 'mfa.totp_enabled']);
  });

  test.each([
    ['lower case', (secret: string) => secret.toLowerCase()],
    ['blanks', (secret: string) => ` ${secret.match(/.{4}/g)?.join(' ')}\n`],
    ['padding', (secret: string) => `${secret}======`],
  ])('accepts a secret with %s', async (_what, written) => {
    const someone = await person(service.auth);
    const secret = newTotpSecret(24);
    const code = totpCode(secret, time.now());
    const request = { secret: written(secret), code, password: someone.password };
    expect((await service.auth.enableTotp(request, as(someone))).backup_codes).toHaveLength(10);
    const again = totpCode(secret, time.now() + STEP_MS);
    expect(await service.auth.createSudoGrant({ mfa_code: again }, as(someone))).toBeDefined();
  });

  test.each([
    ['nothing', ''],
    ['letters outside base32', '0189018901890189'],
    ['less than 80 bits', newTotpSecret(15)],
    ['more than 512 bits', newTotpSecret(104)],
    ['a length that is impossible in base32', newTotpSecret(17)],
    ['padding in the middle', `${newTotpSecret(16)}==${newTotpSecret(16)}`],
    ['a NUL', `${newTotpSecret(16)}\0`],
  ])('refuses a secret of %s', async (_what, secret) => {
    const someone = await person(service.auth);
    const request = { secret, code: '000000', password: someone.password };
    expect(await violationsOf(service.auth.enableTotp(request, as(someone)))).toEqual([
      'secret INVALID_FORMAT',
    ]);
  });

  test('refuses a long secret of padding, without blocking', async () => {
    const someone = await person(service.auth);
    const request = { secret: `${'='.repeat(64 * 1024)}A`, code: '000000', password: someone.password };
    const took_ms = cpuStopwatch();
    expect(await violationsOf(service.auth.enableTotp(request, as(someone)))).toEqual([
      'secret INVALID_FORMAT',
    ]);
    expect(took_ms()).toBeLessThan(1_000);
  });

  test.each([16, 103])('accepts a secret of %i letters, the bounds', async (letters) => {
    const someone = await person(service.auth);
    const secret = newTotpSecret(letters);
    const request = { secret, code: totpCode(secret, time.now()), password: someone.password };
    expect((await service.auth.enableTotp(request, as(someone))).backup_codes).toHaveLength(10);
  });

  test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '12345\0', 'x'.repeat(10_000)])(
    'refuses the code %j',
    async (code) => {
      const someone = await person(service.auth);
      const request = { secret: newTotpSecret(), code, password: someone.password };
      expect(await violationsOf(service.auth.enableTotp(request, as(someone)))).toEqual([
        'code INVALID_MFA_CODE',
      ]);
      expect((await service.auth.getCurrentUser({}, as(someone))).user?.mfa_enabled).toBe(false);
    },
  );

  test('accepts the codes of the current and the adjacent steps only', async () => {
    const secret = newTotpSecret();
    const attempt = async (steps: number) => {
      const someone = await person(service.auth);
      const code = totpCode(secret, time.now() + steps * STEP_MS);
      return service.auth.enableTotp({ secret, code, password: someone.password }, as(someone));
    };
    for (const steps of [-1, 0, 1]) expect((await attempt(steps)).backup_codes).toHaveLength(10);
    for (const steps of [-2, 2, 3])
      expect(await violationsOf(attempt(steps))).toEqual(['code INVALID_MFA_CODE']);
  });

  test('requires a session and a proof', async () => {
    const someone = await person(service.auth);
    const secret = newTotpSecret();
    const request = { secret, code: totpCode(secret, time.now()) };
    expect(await faultOf(service.auth.enableTotp(request, as(someone)))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
      members: { has_mfa: false, methods: { password: true, totp: false, webauthn: false } },
    });
    for (const kind of [CallerKind.CALLER_KIND_ACCESS_TOKEN, CallerKind.CALLER_KIND_BOT]) {
      const caller = { ...someone.caller, kind };
      const proven = { ...request, password: someone.password };
      expect((await faultOf(service.auth.enableTotp(proven, { ...IN_TIME, caller }))).reason).toBe(
        'UNAUTHORIZED',
      );
    }
    expect((await faultOf(service.auth.enableTotp(request, { ...IN_TIME, caller: anonymous }))).reason).toBe(
      'UNAUTHORIZED',
    );
  });

  test('happens once', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    const replica = await service.replica();
    const { answers, refusals } = await together([service.auth, replica], (auth) => {
      const secret = newTotpSecret();
      return auth.enableTotp({ secret, code: totpCode(secret, time.now()) }, as(someone));
    });
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ BAD_REQUEST: 63 });
    const { rowCount } = await service.db.query('SELECT FROM backup_codes WHERE account_id = $1', [
      someone.user_id,
    ]);
    expect(rowCount).toBe(10);
  });

  test('fails if a password reset ends the session meanwhile', async () => {
    const someone = await person(service.auth);
    await service.auth.createSudoGrant({ password: someone.password }, as(someone));
    const secret = newTotpSecret();
    const request = { secret, code: totpCode(secret, time.now()) };
    const reset = await service.db.connect();
    try {
      await reset.query('BEGIN');
      await reset.query("UPDATE accounts SET password_hash = 'another' WHERE id = $1", [someone.user_id]);
      const fault = faultOf(service.auth.enableTotp(request, as(someone)));
      await untilWaitingForLock(reset, 1);
      await reset.query('DELETE FROM sessions WHERE account_id = $1', [someone.user_id]);
      await reset.query('COMMIT');
      expect((await fault).reason).toBe('UNAUTHORIZED');
    } finally {
      reset.release();
    }
    expect((await faultOf(service.auth.enableTotp(request, as(someone)))).reason).toBe('UNAUTHORIZED');
    const { rowCount } = await service.db.query('SELECT FROM totp_factors WHERE account_id = $1', [
      someone.user_id,
    ]);
    expect(rowCount).toBe(0);
  });
});

describe('a step counts once', () => {
  test('also the one that enabled TOTP', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const enabling = totpCode(someone.secret, time.now() - STEP_MS);
    expect(await violationsOf(service.auth.createSudoGrant({ mfa_code: enabling }, as(someone)))).toEqual([
      'mfa_code INVALID_MFA_CODE',
    ]);
  });

  test('in any order, and for as long as it could be accepted', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const grant = (ms: number) =>
      service.auth.createSudoGrant({ mfa_code: totpCode(someone.secret, ms) }, as(someone));
    const start = time.now();
    await grant(start + STEP_MS);
    await grant(start); // the earlier step, used later
    for (const ms of [start, start + STEP_MS]) expect(await violationsOf(grant(ms))).toHaveLength(1);
    time.forward(STEP_MS);
    for (const ms of [start, start + STEP_MS]) expect(await violationsOf(grant(ms))).toHaveLength(1);
    await grant(start + 2 * STEP_MS);
    time.forward(STEP_MS);
    for (const ms of [start + STEP_MS, start + 2 * STEP_MS]) {
      expect(await violationsOf(grant(ms))).toHaveLength(1);
    }
  });

  test('of 64 concurrent callers at two replicas one succeeds', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const mfa_code = totpCode(someone.secret, time.now());
    const { answers, refusals } = await together([service.auth, replica], (auth) =>
      auth.createSudoGrant({ mfa_code }, as(someone)),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ 'mfa_code INVALID_MFA_CODE': 63 });
  });

  test('works once, also if the secret was disabled and enabled in between', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const used = totpCode(someone.secret, time.now());
    await service.auth.disableTotp({ code: used }, as(someone));
    const turnOn = (at_ms: number) => {
      const proven = {
        secret: someone.secret,
        code: totpCode(someone.secret, at_ms),
        password: someone.password,
      };
      return service.auth.enableTotp(proven, as(someone));
    };
    expect(await violationsOf(turnOn(time.now()))).toEqual(['code INVALID_MFA_CODE']);
    await turnOn(time.now() + STEP_MS);
    expect(await violationsOf(service.auth.createSudoGrant({ mfa_code: used }, as(someone)))).toEqual([
      'mfa_code INVALID_MFA_CODE',
    ]);
  });
});

describe('disabling TOTP', () => {
  test('needs a code, which is the proof, and deletes the backup codes', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const disable = (code: string) => service.auth.disableTotp({ code }, as(someone));
    expect(await violationsOf(disable(wrongCode(someone.secret, time.now())))).toEqual([
      'code INVALID_MFA_CODE',
    ]);
    await disable(totpCode(someone.secret, time.now()));

    expect((await service.auth.getCurrentUser({}, as(someone))).user?.mfa_enabled).toBe(false);
    expect((await service.auth.login(someone, IN_TIME)).token).toBeDefined();
    expect(
      (await service.db.query('SELECT FROM backup_codes WHERE account_id = $1', [someone.user_id])).rowCount,
    ).toBe(0);
    expect((await faultOf(disable(totpCode(someone.secret, time.now() + STEP_MS)))).reason).toBe(
      'BAD_REQUEST',
    );
    expect(await auditLogOf(service, someone.user_id)).toEqual([
      'account.registered',
      'mfa.totp_enabled',
      'sudo.failed',
      'mfa.totp_disabled',
      'login',
    ]);
  });

  test('accepts a backup code, and keeps the others if there is a passkey', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    await insertUnusablePasskey(service, someone.user_id);
    await service.auth.disableTotp({ code: someone.codes[0] ?? '' }, as(someone));
    expect(await service.auth.login(someone, IN_TIME)).toMatchObject({
      mfa: true,
      allowed_methods: ['webauthn'],
      backup_codes: true,
    });
    expect(await service.auth.getSudoMethods({}, as(someone))).toEqual({
      has_mfa: true,
      password: false,
      totp: false,
      webauthn: true,
    });
  });

  test.each([[{}], [{ code: null }]])('needs a code even with a grant: %j', async (request) => {
    const someone = await personWithTotp(service.auth, time.now());
    await service.auth.createSudoGrant({ mfa_code: someone.codes[0] ?? '' }, as(someone));
    expect(await faultOf(service.auth.disableTotp(request, as(someone)))).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
      members: { has_mfa: true, methods: { password: false, totp: true, webauthn: false } },
    });
    expect((await service.auth.getCurrentUser({}, as(someone))).user?.mfa_enabled).toBe(true);
  });

  test('succeeds for one of 64 concurrent callers at two replicas, whatever their codes', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const replica = await service.replica();
    const codes = [...someone.codes, totpCode(someone.secret, time.now())];
    const { answers, refusals } = await together([service.auth, replica], (auth, index) =>
      auth.disableTotp({ code: codes[index % codes.length] ?? '' }, as(someone)),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ BAD_REQUEST: 63 });
  });

  test('while the last passkey is deleted leaves no backup codes', async () => {
    const replica = await service.replica();
    for (let round = 0; round < 8; round++) {
      const someone = await personWithTotp(service.auth, time.now());
      const [grantCode = '', code = ''] = someone.codes;
      await service.auth.createSudoGrant({ mfa_code: grantCode }, as(someone));
      const id = await insertUnusablePasskey(service, someone.user_id);
      await Promise.all([
        service.auth.disableTotp({ code }, as(someone)),
        replica.deleteWebauthnCredential({ id }, as(someone)),
      ]);
      const { rowCount } = await service.db.query('SELECT FROM backup_codes WHERE account_id = $1', [
        someone.user_id,
      ]);
      expect(rowCount).toBe(0);
      expect(await service.auth.getSudoMethods({}, as(someone))).toMatchObject({
        password: true,
        totp: false,
      });
    }
  });

  test('a code does not work for another account', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    const another = await personWithTotp(service.auth, time.now());
    for (const code of [totpCode(someone.secret, time.now()), ...someone.codes]) {
      expect(await violationsOf(service.auth.disableTotp({ code }, as(another)))).toHaveLength(1);
    }
    expect(
      (await faultOf(service.auth.disableTotp({ code: '' }, as(await registered(service.auth))))).reason,
    ).toBe('BAD_REQUEST');
  });
});
