import { violationsOf } from '@gatehouse/dev-env/faults';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { everyRow } from '../every-row.ts';
import { type Person, personWithTotp, STEP_MS, standingClock, ticketFor, totpCode } from '../factors.ts';

const time = standingClock();
const lines: string[] = [];
const OLD_KEY = 'the key that was used until yesterday';
const config: { -readonly [Setting in keyof Config]?: Config[Setting] } = { secret_keys: [OLD_KEY] };
let service: AuthUnderTest;
beforeAll(async () => {
  const log = createLogger({
    name: 'auth',
    level: 'trace',
    destination: { write: (line: string) => lines.push(line) },
  });
  service = await startAuth('auth_factor_secrets', { log, config, clock: time.clock });
});
afterAll(() => service.close());

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });

test('secrets, codes and tickets are in no table and no log', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  const ticket = await ticketFor(service.auth, someone);
  const open = await ticketFor(service.auth, someone);
  const wrong = 'wrong-code-of-this-test';
  await violationsOf(service.auth.loginMfaTotp({ ticket, code: wrong }, IN_TIME));
  await violationsOf(service.auth.createSudoGrant({ mfa_code: wrong }, as(someone)));
  await service.auth.loginMfaTotp({ ticket, code: someone.codes[0] ?? '' }, IN_TIME);

  const dump = await everyRow(service.db);
  expect(dump).toContain(someone.user_id);
  const log = lines.join('');
  expect(log).toContain('AuthService/LoginMfaTotp');
  const codes = someone.codes.flatMap((code) => [code, code.replace('-', '')]);
  for (const secret of [someone.secret, ticket, open, wrong, ...codes]) {
    for (const text of [dump, log]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  }
});

test('a new key is added before the old one, which still decrypts older values', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  config.secret_keys = ['the key that is used from today on', OLD_KEY];
  const renewed = await service.replica();
  await renewed.createSudoGrant({ mfa_code: totpCode(someone.secret, time.now()) }, as(someone));
  const { backup_codes } = await renewed.listBackupCodes({ mfa_code: someone.codes[0] }, as(someone));
  expect(backup_codes.map(({ code }) => code)).toEqual(someone.codes);

  const later = await personWithTotp(renewed, time.now());
  await renewed.createSudoGrant({ mfa_code: later.codes[9] }, as(later));
  await renewed.createSudoGrant({ mfa_code: totpCode(later.secret, time.now() + STEP_MS) }, as(later));
});
