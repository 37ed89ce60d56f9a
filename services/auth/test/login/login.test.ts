import { violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { cpuStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth, tokenOf, whoIs } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_login');
});
afterAll(() => service.close());

const login = (email: string, password: string) => service.auth.login({ email, password }, IN_TIME);

test('address and password open a session; the address is trimmed and ignores letter case', async () => {
  const person = newcomer({ email: 'Log.In@example.com' });
  const first = await service.auth.register(person, IN_TIME);
  const second = await login(' lOG.iN@EXAMPLE.com ', person.password);

  expect(second.user_id).toBe(first.user_id);
  expect(second.user).toEqual(first.user);
  expect(second.token).not.toBe(first.token);
  for (const answer of [first, second]) {
    expect(await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, tokenOf(answer))).toBe(first.user_id);
  }
});

describe('a failed login has the same error, whatever the reason', () => {
  const expected = ['email INVALID_EMAIL_OR_PASSWORD', 'password INVALID_EMAIL_OR_PASSWORD'];
  const password = `${'long enough to be cut short '.repeat(9)}!!!!`; // 256

  beforeAll(async () => {
    expect(password).toHaveLength(256);
    await service.auth.register(newcomer({ email: 'known@example.com', password }), IN_TIME);
  });

  test.each([
    ['a wrong password', 'known@example.com', 'correct horse battery'],
    ['another last character', 'known@example.com', `${password.slice(0, -1)}?`],
    ['a longer password', 'known@example.com', `${password}!`],
    ['blanks around the password', 'known@example.com', ` ${password} `],
    ['an unknown address', 'unknown@example.com', password],
    ['no address', 'not an address', password],
    ['nothing', '', ''],
    ['a user name', 'person_1', password],
    ['a NUL in the address', 'known@example.com\0', password],
  ])('%s', async (_what, email, attempt) => {
    expect(await violationsOf(login(email, attempt))).toEqual(expected);
  });

  test('a bot cannot log in', async () => {
    const owner = await registered(service.auth);
    await service.auth.createBot({ application_id: '77', name: 'Bot', owner_id: owner.user_id }, IN_TIME);
    expect(await violationsOf(login('bot_77', ''))).toEqual(expected);
  });

  test('an unknown address takes as long as a wrong password', async () => {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 15; round++) {
      known.push(await cpuOf(() => violationsOf(login('known@example.com', 'wrong password'))));
      unknown.push(await cpuOf(() => violationsOf(login('unknown@example.com', 'wrong password'))));
    }
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});

test('a flood of logins from an IPv6 /48 does not delay one from elsewhere', async () => {
  const person = newcomer();
  await service.auth.register(person, IN_TIME);
  const gone = new AbortController();
  let under_way = 260;
  const flood = Array.from({ length: under_way }, async (_, index) => {
    const caller = { ...anonymous, ip: `2001:db8:1:${index.toString(16)}::1` };
    const invented = { email: `nobody.${index}@example.com`, password: 'correct horse battery' };
    await service.auth.login(invented, { ...IN_TIME, caller, signal: gone.signal }).catch(() => under_way--);
  });
  await expect.poll(() => under_way).toBeLessThan(200); // the queue of that network is full
  const caller = { ...anonymous, ip: '203.0.113.9' };
  expect(await service.auth.login(person, { ...IN_TIME, caller })).toHaveProperty('token');
  expect(under_way).toBeGreaterThan(20);
  gone.abort();
  await Promise.all(flood);
});

test('a session stores its client', async () => {
  const person = newcomer();
  await service.auth.register(person, IN_TIME);
  const caller = { ...anonymous, ip: '203.0.113.9', user_agent: 'Browser/1' };
  const { user_id } = await service.auth.login(person, { ...IN_TIME, caller });
  const { rows } = await service.db.query(
    'SELECT ip, user_agent, last_used_at FROM sessions WHERE account_id = $1 ORDER BY id',
    [user_id],
  );
  expect(rows).toEqual([
    { ip: null, user_agent: null, last_used_at: null },
    { ip: '203.0.113.9', user_agent: 'Browser/1', last_used_at: null },
  ]);
});

test('a password that changes during the login opens no session', async () => {
  const person = newcomer();
  const { user_id } = await service.auth.register(person, IN_TIME);
  const change = await service.db.connect();
  try {
    await change.query('BEGIN');
    await change.query(
      `UPDATE accounts SET password_hash = 'another', password_changed_at = now() WHERE id = $1`,
      [user_id],
    );
    const violations = violationsOf(login(person.email, person.password));
    await untilWaitingForLock(change, 1);
    await change.query('DELETE FROM sessions WHERE account_id = $1', [user_id]);
    await change.query('COMMIT');
    expect(await violations).toContain('password INVALID_EMAIL_OR_PASSWORD');
  } finally {
    change.release();
  }
  const { rowCount } = await service.db.query('SELECT FROM sessions WHERE account_id = $1', [user_id]);
  expect(rowCount).toBe(0);
});

/** CPU time of this process and its password threads, which other load on the machine does not affect. */
async function cpuOf(action: () => Promise<unknown>): Promise<number> {
  const took_ms = cpuStopwatch();
  await action();
  return took_ms();
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
