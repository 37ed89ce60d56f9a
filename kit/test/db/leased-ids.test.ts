import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { startTcpProxy, type TcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type LeasedIds, type LeasedIdsOptions, leasedIds } from '../../src/db/leased-ids.ts';
import { openPool } from '../../src/db/pool.ts';
import { Status } from '../../src/fault.ts';
import { createLogger, type Logger, silentLogger } from '../../src/log.ts';
import { snowflakeTime } from '../../src/snowflake.ts';
import { run } from '../support/child.ts';
import { atEnd } from '../support/echo-service.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/lease-migrations', import.meta.url));
const ONE = { from: 7, to: 7 };
const OFTEN = { interval: 20 };

let database: TestDatabase;
let db: pg.Pool;
beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'leased_ids');
  db = openPool({ database_url: database.database_url, application_name: 'leased-ids-test', max: 4 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const held = new Set<LeasedIds>();
afterEach(async () => {
  await Promise.all([...held].map((ids) => ids.close()));
  held.clear();
  await db.query('TRUNCATE worker_leases');
});

async function lease(options: Partial<LeasedIdsOptions> = {}): Promise<LeasedIds> {
  const ids = await leasedIds({ db, workers: ONE, log: silentLogger, ...options });
  held.add(ids);
  return ids;
}

const workerOf = (id: string) => Number((BigInt(id) >> 12n) & 0x3ffn);
const idOf = (ids: LeasedIds) => {
  try {
    return ids.next();
  } catch {
    return undefined;
  }
};
/** Ages a lease, by the database's clock. */
const expire = () => db.query("UPDATE worker_leases SET leased_until = now() - interval '1 s'");

test('thirty-two concurrent holders get a worker ID each; the next one fails with the reason', async () => {
  const pools = Array.from({ length: 32 }, () =>
    openPool({ database_url: database.database_url, application_name: 'leased-ids-test', max: 1 }),
  );
  atEnd(() => Promise.all(pools.map((pool) => pool.end())));
  const workers = { from: 100, to: 131 };
  const all = await Promise.all(pools.map((pool) => lease({ db: pool, workers })));
  const taken = all.map((ids) => workerOf(ids.next())).sort();
  expect(taken).toEqual(Array.from({ length: 32 }, (_, n) => 100 + n));
  await expect(lease({ workers })).rejects.toThrow('all worker IDs from 100 to 131 are leased');
  await Promise.all(all.splice(0, 2).map((ids) => ids.close()));
  const next = await Promise.all([lease({ workers }), lease({ workers })]);
  expect(new Set(next.map((ids) => workerOf(ids.next()))).size).toBe(2);
  await Promise.all([...held].map((ids) => ids.close()));
  held.clear();
});

test('a returned worker ID is free at once, and makes no more IDs for its old holder', async () => {
  const first = await lease();
  const last = first.next();
  await expect(lease()).rejects.toThrow('all worker IDs from 7 to 7 are leased');
  await first.close();
  expect(first.isHeld()).toBe(false);
  expect(() => first.next()).toThrow(expect.objectContaining({ status: Status.UNAVAILABLE }));
  const second = await lease();
  const next = second.next();
  expect(BigInt(next)).toBeGreaterThan(BigInt(last));
  expect(snowflakeTime(next) - Date.now(), 'not of the future').toBeLessThan(5);
});

test('a holder that lost its lease makes no further ID with that worker ID, and leases another', async () => {
  const ids = await lease({ workers: { from: 1, to: 2 }, lease_ms: 3_000 });
  const before = workerOf(ids.next());
  await db.query(
    "UPDATE worker_leases SET holder = gen_random_uuid(), leased_until = now() + interval '1 h'",
  );
  await expect.poll(() => workerOf(idOf(ids) ?? ids.next()), OFTEN).not.toBe(before);
  expect(ids.isHeld()).toBe(true);
});

test('without its database it makes IDs for three quarters of the lease, then none until the database is back', async () => {
  const proxy: TcpProxy = await startTcpProxy();
  atEnd(() => proxy.close());
  const near = openPool({
    database_url: proxy.through(database.database_url),
    application_name: 'leased-ids-test',
    max: 2,
  });
  atEnd(() => near.end());
  const ids = await lease({ db: near, lease_ms: 4_000 });
  proxy.cut();
  const cutAt = performance.now();
  let madeLast = cutAt;
  for (;;) {
    const calledAt = performance.now();
    if (idOf(ids) === undefined) break;
    madeLast = calledAt;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(madeLast - cutAt, 'three quarters of the lease').toBeLessThan(3_000 + 50);
  expect(ids.isHeld()).toBe(false);
  const { rows } = await db.query('SELECT FROM worker_leases WHERE leased_until > now()');
  expect(rows, 'no other holder may have it yet').toHaveLength(1);
  proxy.restore();
  await expect.poll(() => idOf(ids), OFTEN).toBeDefined();
  await ids.close();
});

/** A logger, and its lines. */
function recordingLogger(): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  const write = (line: string) => void messages.push(JSON.parse(line).msg);
  return { log: createLogger({ name: 'it', destination: { write } }), messages };
}

/** Makes hundreds of calls within a third of a second. */
async function callOften(ids: LeasedIds): Promise<void> {
  for (const until = performance.now() + 300; performance.now() < until; ) {
    expect(idOf(ids)).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('without a worker ID, calls query the database and log only occasionally', async () => {
  const { log, messages } = recordingLogger();
  const ids = await lease({ lease_ms: 600, log });
  await db.query(
    "UPDATE worker_leases SET holder = gen_random_uuid(), leased_until = now() + interval '1 h'",
  );
  await expect.poll(() => messages, OFTEN).toContain('no worker ID could be leased');
  expect(messages).toEqual([
    'leased a worker ID',
    'the lease of a worker ID is lost',
    'no worker ID could be leased',
  ]);
  const query = vi.spyOn(db, 'query');
  atEnd(() => query.mockRestore());
  await callOften(ids);
  expect(query.mock.calls.length, 'three by the clock, two by calls').toBeLessThan(8);
  expect(messages.length).toBeLessThan(5);
});

test('a failed renewal is logged as one, and does not delay closing', async () => {
  const proxy: TcpProxy = await startTcpProxy();
  atEnd(() => proxy.close());
  const near = openPool({
    database_url: proxy.through(database.database_url),
    application_name: 'leased-ids-test',
    max: 1,
  });
  atEnd(() => near.end());
  const { log, messages } = recordingLogger();
  const ids = await lease({ db: near, lease_ms: 3_000, log });
  proxy.cut();
  await expect.poll(() => messages, OFTEN).toContain('the lease of a worker ID could not be renewed');
  expect(idOf(ids), 'the lease is still good').toBeDefined();
  expect(messages).not.toContain('no worker ID could be leased');

  proxy.restore();
  await near.query('SELECT'); // connects
  proxy.freeze();
  const waiting = () => near.totalCount - near.idleCount;
  await expect.poll(waiting, OFTEN).toBe(1); // a renewal that gets no answer
  const closedAt = performance.now();
  await ids.close();
  expect(performance.now() - closedAt).toBeLessThan(5_000);
  expect(idOf(ids)).toBeUndefined();
  proxy.cut(); // the statement fails at once
});

test('a process that was paused for longer than its lease makes no ID with it afterwards', async () => {
  const holder = run('hold-worker-id.ts', [], { DATABASE_URL: database.database_url, LEASE_MS: '3000' });
  const lines = () => holder.output().trim().split('\n');
  await expect.poll(() => lines().length, OFTEN).toBeGreaterThan(3);
  holder.process.kill('SIGSTOP');
  let second: LeasedIds | undefined;
  await expect
    .poll(async () => {
      second ??= await lease().catch(() => undefined);
      return second;
    }, OFTEN)
    .toBeDefined();
  const during = [second?.next() ?? ''];
  const before = lines();
  expect(before).not.toContain('none');

  holder.process.kill('SIGCONT');
  await expect.poll(() => lines().length - before.length, OFTEN).toBeGreaterThan(50);
  const after = lines().slice(before.length);
  expect(new Set(after), 'only the first line may have been on its way').toEqual(new Set(['none']));

  during.push(second?.next() ?? '');
  await second?.close();
  await expect.poll(() => lines().at(-1), OFTEN).not.toBe('none');
  holder.process.kill('SIGTERM');
  expect(await holder.exit).toBe(0);
  const made = [...lines().filter((line) => line !== 'none'), ...during];
  expect(new Set(made).size).toBe(made.length);
  const { rows } = await db.query('SELECT FROM worker_leases WHERE leased_until > now()');
  expect(rows, 'it gave the worker ID back').toEqual([]);
});

test('a late renewal does not return a worker ID to its old holder', async () => {
  const old = await lease({ lease_ms: 3_000 });
  old.next();
  await expire();
  const ids = await lease({ lease_ms: 60_000 });
  const { rows: before } = await db.query('SELECT holder, ids_until_ms FROM worker_leases');
  await expect.poll(() => idOf(old), OFTEN).toBeUndefined(); // its renewals come, and are refused
  await old.close();
  expect((await db.query('SELECT holder, ids_until_ms FROM worker_leases')).rows).toEqual(before);
  expect(ids.isHeld()).toBe(true);
});

test('a leap of the clock takes effect with the next renewal, and IDs only grow meanwhile', async () => {
  let offset_ms = 0;
  const ids = await lease({ clock: () => Date.now() + offset_ms, lease_ms: 5_000 });
  const made = [ids.next()];
  offset_ms = 3_600_000;
  await expect
    .poll(() => {
      made.push(ids.next());
      return snowflakeTime(made.at(-1) ?? '') - Date.now();
    }, OFTEN)
    .toBeGreaterThan(3_590_000);
  expect(snowflakeTime(made[1] ?? '') - Date.now(), 'no further than was leased').toBeLessThan(5_100);
  expect(made.every((id, n) => n === 0 || BigInt(id) > BigInt(made[n - 1] ?? ''))).toBe(true);
});
