import { reasonOf } from '@gatehouse/dev-env/faults';
import { olderTransactionsEnded } from '@gatehouse/dev-env/postgres/older-transactions';
import { seenOf } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, requireSnapshot } from '@gatehouse/kit/event-log/snapshot';
import { anonymous } from '@gatehouse/kit/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';
import { credentialEnded, cursorOf, eventsAfter, eventsOf } from './event-reader.ts';

let service: AuthUnderTest;
let replicas: Auth[];
beforeAll(async () => {
  service = await startAuth('auth_read_events', { background_every_ms: 20 });
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

test.each(['', 'x', '1/5:4:', '2/5:5:'])('the cursor %j is BAD_REQUEST', async (cursor) => {
  expect(await reasonOf(eventsAfter(service, service.auth, { cursor }))).toBe('BAD_REQUEST');
});

test.each([0, 19, 10_001])('silence_ms of %i is BAD_REQUEST', async (silence_ms) => {
  expect(await reasonOf(eventsAfter(service, service.auth, { silence_ms }))).toBe('BAD_REQUEST');
});

test('twenty concurrent logouts at two replicas: each reader of either gets each event once', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => registered(service.auth)));
  const start = await cursorOf(service.auth);
  const logouts = () =>
    Promise.all(people.map(({ caller }, index) => replicas[index % 2]?.logout({}, { ...IN_TIME, caller })));
  const live = replicas.map(async (reader) => {
    const ended = new Set<string>();
    for await (const { events } of reader.readEvents({ cursor: start })) {
      for (const { credential_id } of events) if (credential_id != null) ended.add(credential_id);
      if (ended.size === people.length) break;
    }
    return ended.size;
  });
  const expected = people.map(({ caller }) => credentialEnded(caller.account_id, caller.credential_id));
  const events = await eventsOf(service, service.auth, logouts);
  expect(events).toHaveLength(20);
  expect(events).toEqual(expect.arrayContaining(expected));
  expect(await Promise.all(live)).toEqual([20, 20]);
  for (const reader of replicas) {
    const later = await eventsAfter(service, reader, { cursor: start });
    expect(later).toHaveLength(20);
    expect(later).toEqual(expect.arrayContaining(expected));
  }
});

test('twenty concurrent readers get the same events', async () => {
  const { caller } = await registered(service.auth);
  const start = await cursorOf(service.auth);
  await service.auth.logout({}, { ...IN_TIME, caller });
  const all = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      for await (const { events } of (replicas[index % 2] ?? service.auth).readEvents({ cursor: start }))
        if (events[0] !== undefined) return events[0].credential_id;
      return undefined;
    }),
  );
  expect(new Set(all)).toEqual(new Set([caller.credential_id]));
});

test('a quiet log returns its position as often as requested', async () => {
  await registered(service.auth);
  const { rows } = await service.db.query('SELECT pg_current_snapshot()::text AS text');
  const then = requireSnapshot(rows[0].text);
  for await (const { cursor, events } of replicas[1]?.readEvents({ silence_ms: 20 }) ?? []) {
    expect(events).toEqual([]);
    if (isAtLeast(seenOf(cursor), then)) break;
  }
});

test('events are deleted after an hour, and an earlier cursor is too old', async () => {
  const { caller } = await registered(service.auth);
  const before = await cursorOf(service.auth);
  await service.auth.logout({}, { ...IN_TIME, caller });
  await olderTransactionsEnded(service.db); // a running transaction would count as an event that may be missing
  const after = await cursorOf(service.auth);
  await service.db.query(`UPDATE events SET created_at = now() - interval '30 min'`);
  expect(await eventsAfter(service, service.auth, { cursor: before })).toHaveLength(1);
  await service.db.query(`UPDATE events SET created_at = now() - interval '61 min' WHERE account_id = $1`, [
    caller.account_id,
  ]);
  const left = async () =>
    (await service.db.query('SELECT FROM events WHERE account_id = $1', [caller.account_id])).rowCount;
  await expect.poll(left).toBe(0);
  for (const reader of replicas)
    expect(await reasonOf(eventsAfter(service, reader, { cursor: before }))).toBe('CURSOR_TOO_OLD');
  expect(await eventsAfter(service, service.auth, { cursor: after })).not.toContainEqual(
    credentialEnded(caller.account_id, caller.credential_id),
  );
});

test('the Gateway URL is public', async () => {
  for (const caller of [anonymous, (await registered(service.auth)).caller])
    expect(await service.auth.getGateway({}, { ...IN_TIME, caller })).toEqual({
      url: 'ws://127.0.0.1:8080/gateway',
    });
});
