import { readdirSync, readFileSync } from 'node:fs';
import { faultOf } from '@gatehouse/dev-env/faults';
import { afterEach, expect, test } from 'vitest';
import { DECOY_HASH, openPasswords as open, type Passwords } from '../src/passwords/passwords.ts';

const { signal } = new AbortController();

const opened: Passwords[] = [];
function openPasswords(concurrency: number): Passwords {
  const passwords = open(concurrency);
  opened.push(passwords);
  return passwords;
}
afterEach(() => Promise.all(opened.splice(0).map((passwords) => passwords.close())));

test('a password is not truncated', async () => {
  const passwords = openPasswords(2);
  const long = '🔑'.repeat(256);
  const hash = await passwords.hash(long, signal);
  expect(await passwords.verify(long, hash, signal)).toBe(true);
  expect(await passwords.verify(`${'🔑'.repeat(255)}🗝`, hash, signal)).toBe(false);
});

test('without a hash every password is wrong', async () => {
  const passwords = openPasswords(2);
  expect(await passwords.verify('', null, signal)).toBe(false);
});

test('a full queue refuses at once, and jobs of callers that have gone are dropped', async () => {
  const passwords = openPasswords(1);
  const gone = new AbortController();
  const first = passwords.hash('password', signal);
  const waiting = Array.from({ length: 200 }, () => faultOf(passwords.hash('password', gone.signal)));
  expect(await faultOf(passwords.hash('password', signal))).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });

  gone.abort();
  expect(await first).toMatch(/^\$argon2id\$/);
  for (const fault of await Promise.all(waiting)) expect(fault.reason).toBe('CANCELLED');
  expect(await passwords.hash('password', signal)).toMatch(/^\$argon2id\$/);
});

test('the decoy hash costs as much as any other', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4).join('$');
  expect(cost(DECOY_HASH)).toBe(cost(await openPasswords(1).hash('password', signal)));
});

test('a closed pool fails its jobs and leaves no thread', async () => {
  const passwords = openPasswords(1);
  const hashing = faultOf(passwords.hash('password', signal));
  await passwords.close();
  expect(await hashing).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
});

test.skipIf(process.platform !== 'linux')('the threads give way to everything else', async () => {
  const before = niced();
  const passwords = openPasswords(2);
  await Promise.all([passwords.hash('password', signal), passwords.hash('password', signal)]);
  expect(niced() - before).toBe(2);
});

/** How many threads of this process run at niceness 10 (proc_pid_stat(5), field 19). */
function niced(): number {
  const stats = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/stat`, 'utf8'),
  );
  return stats.filter((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] === '10').length;
}
