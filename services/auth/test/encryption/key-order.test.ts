import { setTimeout } from 'node:timers/promises';
import { violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { type Person, personWithTotp, STEP_MS, standingClock, together, totpCode } from '../factors.ts';

const OLD_KEY = 'the key that was used until yesterday';
const NEW_KEY = 'the key that is used from today on';

const time = standingClock();
const config: { -readonly [Setting in keyof Config]?: Config[Setting] } = {};
let service: AuthUnderTest;
/** Replicas with the same two keys in different order. */
let oldFirst: Auth;
let newFirst: Auth;
beforeAll(async () => {
  config.secret_keys = [OLD_KEY, NEW_KEY];
  service = await startAuth('auth_key_order', { config, clock: time.clock });
  oldFirst = service.auth;
  config.secret_keys = [NEW_KEY, OLD_KEY];
  newFirst = await service.replica();
});
afterAll(() => service.close());

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });

test('of 64 concurrent uses of a step one counts, whatever the order of keys on each replica', async () => {
  for (const maker of [oldFirst, newFirst]) {
    const someone = await personWithTotp(maker, time.now());
    for (const step of [0, 1]) {
      const mfa_code = totpCode(someone.secret, time.now() + step * STEP_MS);
      const { answers, refusals } = await together([oldFirst, newFirst], (auth) =>
        auth.createSudoGrant({ mfa_code }, as(someone)),
      );
      expect(answers).toHaveLength(1);
      expect(refusals).toEqual({ 'mfa_code INVALID_MFA_CODE': 63 });
    }
  }
});

test('the step that enabled TOTP counts once, even if another replica disables and enables TOTP', async () => {
  const someone = await personWithTotp(oldFirst, time.now());
  const enabling = totpCode(someone.secret, time.now() - STEP_MS);
  expect(await violationsOf(newFirst.createSudoGrant({ mfa_code: enabling }, as(someone)))).toHaveLength(1);

  const code = totpCode(someone.secret, time.now());
  await oldFirst.disableTotp({ code }, as(someone));
  const again = { secret: someone.secret, code, password: someone.password };
  expect(await violationsOf(newFirst.enableTotp(again, as(someone)))).toEqual(['code INVALID_MFA_CODE']);
});

test('a code that disables TOTP and is a sudo proof at the same time counts once, without deadlock', async () => {
  for (let round = 0; round < 40; round++) {
    const someone = await personWithTotp(oldFirst, time.now());
    const code = totpCode(someone.secret, time.now() + STEP_MS);
    const sudo = async (delay_ms: number): Promise<unknown> => {
      await setTimeout(delay_ms);
      return newFirst.createSudoGrant({ mfa_code: code }, as(someone));
    };
    const off = oldFirst.disableTotp({ code }, as(someone));
    const outcomes = await Promise.allSettled([off, sudo(round % 8), sudo((round % 8) + 1)]);
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.reason] : []));
    expect([...new Set(reasons)]).toEqual(['INVALID_FORM_BODY']);
    expect(reasons).toHaveLength(2);
  }
});

test('of 64 concurrent uses of a backup code one counts, whatever the order of keys on each replica', async () => {
  for (const maker of [oldFirst, newFirst]) {
    const someone = await personWithTotp(maker, time.now());
    const { answers, refusals } = await together([oldFirst, newFirst], (auth) =>
      auth.createSudoGrant({ mfa_code: someone.codes[0] }, as(someone)),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ 'mfa_code INVALID_MFA_CODE': 63 });
  }
});

test('a step that was used before a second key was added stays used', async () => {
  config.secret_keys = [OLD_KEY];
  const before = await service.replica();
  const someone = await personWithTotp(before, time.now());
  const mfa_code = totpCode(someone.secret, time.now());
  await before.createSudoGrant({ mfa_code }, as(someone));
  expect(await violationsOf(newFirst.createSudoGrant({ mfa_code }, as(someone)))).toHaveLength(1);
});

test('a key that is listed twice is one key', async () => {
  config.secret_keys = [NEW_KEY, OLD_KEY, NEW_KEY];
  const careless = await service.replica();
  const someone = await personWithTotp(careless, time.now());
  const mfa_code = totpCode(someone.secret, time.now());
  expect(await careless.createSudoGrant({ mfa_code }, as(someone))).toBeDefined();
});

test('using a code during the deletion of the account does not deadlock', async () => {
  const someone = await personWithTotp(oldFirst, time.now());
  const deleting = await service.db.connect();
  try {
    await deleting.query('BEGIN');
    await deleting.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [someone.user_id]);
    const mfa_code = totpCode(someone.secret, time.now());
    const refused = violationsOf(newFirst.createSudoGrant({ mfa_code }, as(someone)));
    await untilWaitingForLock(deleting, 1);
    await deleting.query('DELETE FROM accounts WHERE id = $1', [someone.user_id]);
    await deleting.query('COMMIT');
    expect(await refused).toEqual(['mfa_code INVALID_MFA_CODE']);
  } finally {
    deleting.release();
  }
});
