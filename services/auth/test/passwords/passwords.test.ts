import { faultOf } from '@gatehouse/dev-env/faults';
import { Fault } from '@gatehouse/kit/fault';
import { afterEach, describe, expect, test } from 'vitest';
import { DECOY_HASH, openPasswords as open, type Passwords } from '../../src/passwords/passwords.ts';
import { queueOptions, type WaitingCall } from '../../src/queue-options.ts';

const { signal } = new AbortController();

const callFrom = (ip: string, more: Partial<WaitingCall> = {}): WaitingCall => ({
  caller: { ip },
  signal,
  due_ms: Number.POSITIVE_INFINITY,
  ...more,
});
const call = callFrom('192.0.2.1');

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
  const hash = await passwords.hash(long, call);
  expect(await passwords.verify(long, hash, call)).toBe(true);
  expect(await passwords.verify(`${'🔑'.repeat(255)}🗝`, hash, call)).toBe(false);
});

test('without a hash every password is wrong', async () => {
  const passwords = openPasswords(2);
  expect(await passwords.verify('', null, call)).toBe(false);
});

test('a full queue refuses at once, and jobs of cancelled calls are dropped', async () => {
  const passwords = openPasswords(1);
  const gone = new AbortController();
  const first = passwords.hash('password', call);
  const waiting = Array.from({ length: 100 }, () =>
    faultOf(passwords.hash('password', callFrom('192.0.2.1', { signal: gone.signal }))),
  );
  expect(await faultOf(passwords.hash('password', call))).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });

  gone.abort();
  expect(await first).toMatch(/^\$argon2id\$/);
  for (const fault of await Promise.all(waiting)) expect(fault.reason).toBe('CANCELLED');
  expect(await passwords.hash('password', call)).toMatch(/^\$argon2id\$/);
});

test('the decoy hash costs as much as any other', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4).join('$');
  expect(cost(DECOY_HASH)).toBe(cost(await openPasswords(1).hash('password', call)));
});

test('a closed pool fails its jobs and leaves no thread', async () => {
  const passwords = openPasswords(1);
  const hashing = faultOf(passwords.hash('password', call));
  await passwords.close();
  expect(await hashing).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
});

describe('a flood of passwords', () => {
  /** Enough time for a turn on a busy machine. */
  const inTime = () => performance.now() + 100_000;

  /** Jobs of this many networks that all wait. `end` cancels their calls. */
  function flood(passwords: Passwords, ips: readonly string[]) {
    const gone = new AbortController();
    const counts = { waiting: ips.length, refused: 0 };
    const jobs = ips.map((ip) =>
      passwords
        .hash('password', callFrom(ip, { signal: gone.signal, due_ms: inTime() }))
        .catch((error: unknown) => {
          if (error instanceof Fault && error.reason === 'SERVICE_UNAVAILABLE') counts.refused++;
        })
        .finally(() => counts.waiting--),
    );
    const end = () => {
      gone.abort();
      return Promise.allSettled(jobs);
    };
    return { counts, end };
  }
  const of = (count: number, ip: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ip(index));

  test.each([
    ['one /48', of(260, (index) => `2001:db8:1:${index.toString(16)}::1`)],
    ['three /48s', of(600, (index) => `2001:db8:${1 + (index % 3)}:${index.toString(16)}::1`)],
    ['600 /48s of one /32', of(600, (index) => `2001:db8:${index.toString(16)}::1`)],
    ['one /24', of(260, (index) => `198.51.100.${index % 256}`)],
    ['a hundred /24s of one /16', of(600, (index) => `198.51.${index % 100}.7`)],
    ['twenty /32s', of(600, (index) => `2001:${(index % 20).toString(16)}:1:${index.toString(16)}::1`)],
    ['no address', of(260, () => '')],
  ])('from %s does not block others', async (_networks, ips) => {
    const passwords = openPasswords(1);
    const { counts, end } = flood(passwords, ips);
    for (const ip of ['203.0.113.9', '2001:db9::1']) {
      expect(await passwords.hash('password', callFrom(ip, { due_ms: inTime() }))).toMatch(/^\$argon2id\$/);
    }
    expect(counts.waiting).toBeGreaterThan(50);
    expect(counts.refused).toBeGreaterThanOrEqual(ips.length - 201);
    await end();
  });

  test('from one address of a network does not block its neighbours', async () => {
    const passwords = openPasswords(1);
    const { counts, end } = flood(
      passwords,
      of(260, () => '198.51.100.7'),
    );
    const neighbour = callFrom('198.51.100.8', { due_ms: inTime() });
    expect(await passwords.hash('password', neighbour)).toMatch(/^\$argon2id\$/);
    expect(counts.waiting).toBeGreaterThan(50);
    await end();
  });
});

test('a job that waits too long is refused before its deadline', async () => {
  const passwords = openPasswords(1);
  const first = passwords.hash('password', call);
  const late = passwords.hash('password', callFrom('192.0.2.1', { due_ms: performance.now() + 10 }));
  expect(await faultOf(late)).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  await first;

  const wait_ms = (due_ms: number) => (queueOptions({ ...call, due_ms }).until_ms ?? 0) - performance.now();
  expect(Math.round(wait_ms(Number.POSITIVE_INFINITY) / 1000)).toBe(6);
  expect(Math.round(wait_ms(performance.now() + 10_000) / 1000)).toBe(6);
  expect(Math.round(wait_ms(performance.now() + 20_000) / 1000)).toBe(12);
});
