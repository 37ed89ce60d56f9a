import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { SNOWFLAKE_EPOCH_MS, snowflakeTime } from '@gatehouse/kit/snowflake';
import type { ListSecurityEventsRequest } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, startAuth } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_audit_log', { config: { login_location_check: false } });
});
afterAll(() => service.close());

const list = async (request: Partial<ListSecurityEventsRequest>) =>
  (await service.auth.listSecurityEvents(request, IN_TIME)).events;

/** Adds events of an account, one second apart, oldest first. Returns their IDs. */
async function addEvents(account_id: string, kinds: readonly string[]): Promise<string[]> {
  const start = Date.now() - 3_600_000;
  const ids = kinds.map((_, index) => String(BigInt(start + index * 1000 - SNOWFLAKE_EPOCH_MS) << 22n));
  await service.db.query(
    `INSERT INTO security_events (id, at, kind, account_id)
     SELECT id, to_timestamp($3 / 1000.0) + (n - 1) * interval '1 s', kind, $4
       FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS event (id, kind, n)`,
    [ids, kinds, start, account_id],
  );
  return ids;
}

test('records event, account, address and session', async () => {
  const caller = { ...anonymous, ip: '203.0.113.7', user_agent: 'curl/8.5.0' };
  const person = newcomer();
  const { user_id } = await service.auth.register(person, { ...IN_TIME, caller });
  const account_id = user_id;
  await faultOf(
    service.auth.login({ email: person.email, password: 'wrong password' }, { ...IN_TIME, caller }),
  );
  const before = await list({ account_id });
  const [{ id: session_id } = { id: '' }] = (
    await service.db.query<{ id: string }>('SELECT id FROM sessions WHERE account_id = $1', [account_id])
  ).rows;
  const kind = CallerKind.CALLER_KIND_SESSION;
  const mine = { ...caller, kind, account_id, credential_id: session_id };
  await service.auth.logout({}, { ...IN_TIME, caller: mine });

  const events = await list({ account_id });
  expect(events.map(({ kind }) => kind)).toEqual(['logout', 'login.failed', 'account.registered']);
  expect(events.slice(1)).toEqual(before);
  expect(events[0]).toEqual({
    id: expect.any(String),
    at_ms: expect.any(Number),
    kind: 'logout',
    account_id,
    ip: '203.0.113.7',
    user_agent: 'curl/8.5.0',
    session_id,
    detail: '{}',
  });
  expect(JSON.parse(events[2]?.detail ?? '')).toEqual({ proof: 'registration', session: session_id });
  for (const { id, at_ms } of events) expect(Math.abs(snowflakeTime(id) - at_ms)).toBeLessThan(10_000);
});

test('records a failed login with an unknown address, without the address', async () => {
  const email = 'nobody.at.all@example.com';
  await faultOf(service.auth.login({ email, password: 'wrong password' }, IN_TIME));
  const [event] = await list({ kind: 'login.failed', limit: 1 });
  expect(event).toMatchObject({ account_id: null, ip: null, user_agent: null, session_id: null });
  expect(JSON.stringify(event)).not.toContain('nobody.at.all');
});

describe('a page contains', () => {
  const account_id = '4711';
  let ids: string[];
  beforeAll(async () => {
    ids = await addEvents(account_id, [
      'login',
      'login.failed',
      'logout',
      'login',
      'sudo.granted',
      'sudo.failed',
    ]);
  });
  const found = async (request: Partial<ListSecurityEventsRequest>) =>
    (await list({ account_id, ...request })).map(({ id }) => ids.indexOf(id));

  test.each([
    ['all', {}, [5, 4, 3, 2, 1, 0]],
    ['a kind and those under it', { kind: 'login' }, [3, 1, 0]],
    ['one kind', { kind: 'login.failed' }, [1]],
    ['the beginning of kinds', { kind: 'sudo' }, [5, 4]],
    ['a prefix that is no kind', { kind: 'bot_token' }, []],
    ['few', { limit: 2 }, [5, 4]],
  ])('%s', async (_what, request, places) => {
    expect(await found(request)).toEqual(places);
  });

  test('the events before or after an ID', async () => {
    expect(await found({ before: ids[3] })).toEqual([2, 1, 0]);
    expect(await found({ before: ids[3], limit: 1 })).toEqual([2]);
    expect(await found({ after: ids[3] })).toEqual([4, 5]);
    expect(await found({ after: ids[1], limit: 2 })).toEqual([2, 3]);
    expect(await found({ after: ids[1], before: ids[4] })).toEqual([2, 3]);
    expect(await found({ after: '0', limit: 1 })).toEqual([0]);
    expect(await found({ after: '9223372036854775807' })).toEqual([]);
  });

  test('the events since a time, inclusive', async () => {
    const all = await list({ account_id });
    const at_ms = all[2]?.at_ms ?? 0;
    expect(await found({ since_ms: at_ms })).toEqual([5, 4, 3]);
    expect(await found({ since_ms: at_ms + 1 })).toEqual([5, 4]);
    expect(await found({ since_ms: 0 })).toHaveLength(6);
    expect(await found({ since_ms: 8.64e15 })).toEqual([]);
  });

  test.each([
    ['an unknown kind', { kind: 'logi' }],
    ['an empty kind', { kind: '' }],
    ['a kind with a dot at its end', { kind: 'login.' }],
    ['a NUL', { kind: 'login\0' }],
    ['no event', { limit: 0 }],
    ['too many', { limit: 1001 }],
    ['an invalid account ID', { account_id: '12x' }],
    ['an account beyond 64 bits', { account_id: '9223372036854775808' }],
    ['a negative page size', { before: '' }],
    ['a page after nothing', { after: '-1' }],
    ['a time out of range', { since_ms: 8.64e15 + 1 }],
  ])('not by %s', async (_what, request) => {
    expect(await faultOf(list(request))).toMatchObject({ reason: 'BAD_REQUEST' });
  });
});
