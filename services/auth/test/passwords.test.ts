import { expect, test } from 'vitest';
import { openPasswords } from '../src/passwords.ts';
import { faultOf } from './auth.ts';

const { signal } = new AbortController();

test('nothing of a password is cut off', async () => {
  const passwords = await openPasswords(2);
  const long = '🔑'.repeat(256);
  const hash = await passwords.hash(long, signal);
  expect(await passwords.verify(long, hash, signal)).toBe(true);
  expect(await passwords.verify(`${'🔑'.repeat(255)}🗝`, hash, signal)).toBe(false);
});

test('without a hash no password is right', async () => {
  const passwords = await openPasswords(2);
  expect(await passwords.verify('', null, signal)).toBe(false);
});

test('a full queue refuses at once, and those whose callers have gone are not hashed', async () => {
  const passwords = await openPasswords(1);
  const gone = new AbortController();
  const first = passwords.hash('password', signal);
  const waiting = Array.from({ length: 200 }, () => faultOf(passwords.hash('password', gone.signal)));
  expect(await faultOf(passwords.hash('password', signal))).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });

  gone.abort();
  expect(await first).toMatch(/^\$argon2id\$/);
  for (const fault of await Promise.all(waiting)) expect(fault.reason).toBe('CANCELLED');
  expect(await passwords.hash('password', signal)).toMatch(/^\$argon2id\$/);
});
