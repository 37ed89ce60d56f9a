import { hash } from 'node:crypto';
import { faultOf } from '@gatehouse/dev-env/faults';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth, tokenOf } from './auth.ts';
import { everyRow } from './every-row.ts';

const lines: string[] = [];
let service: AuthUnderTest;
beforeAll(async () => {
  const log = createLogger({
    name: 'auth',
    level: 'trace',
    destination: { write: (line: string) => lines.push(line) },
  });
  service = await startAuth('auth_secrets', { log });
});
afterAll(() => service.close());

test('passwords and tokens are in no table and no log', async () => {
  const password = 'planted-password-5f1c';
  const wrong = 'planted-wrong-password-77aa';
  const person = await registered(service.auth, { email: 'planted@example.com', password });
  const again = await service.auth.login({ email: 'planted@example.com', password }, IN_TIME);
  await faultOf(service.auth.login({ email: 'planted@example.com', password: wrong }, IN_TIME));
  await faultOf(service.auth.register(newcomer({ password: wrong, username: '-' }), IN_TIME));
  const bot = await service.auth.createBot(
    { application_id: '600', name: 'Planted', owner_id: person.user_id },
    IN_TIME,
  );
  const tokens = [person.token, tokenOf(again), bot.token];

  const dump = await everyRow(service.db);
  expect(dump).toContain('planted@example.com');
  const log = lines.join('');
  expect(log).toContain('AuthService/Login');
  for (const secret of [password, wrong, ...tokens, ...tokens.map((token) => token.slice(4))]) {
    for (const text of [dump, log]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    }
  }

  for (const token of tokens) expect(dump).toContain(hash('sha256', token));
  expect(dump).toMatch(/\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
