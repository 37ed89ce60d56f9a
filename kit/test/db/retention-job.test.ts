import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPool } from '../../src/db/pool.ts';
import { type RetentionJobOptions, retentionJob } from '../../src/db/retention-job.ts';
import { createLogger, silentLogger } from '../../src/log.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
const EXPIRED = [{ table: 'things', where: 'expires_at <= now()' }];

let database: TestDatabase;
let db: pg.Pool;
beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'retention_job');
  db = open();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

function open(application_name = 'retention-test'): pg.Pool {
  return openPool({ database_url: database.database_url, application_name, max: 4 });
}

const ending: (() => Promise<void>)[] = [];
beforeEach(() => db.query('CREATE TABLE things (id bigint PRIMARY KEY, expires_at timestamptz NOT NULL)'));
afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
  await db.query('DROP TABLE IF EXISTS things, deletions');
});

function clean(options: Partial<RetentionJobOptions> = {}): () => Promise<void> {
  const end = retentionJob({ db, log: silentLogger, expired: EXPIRED, every_ms: 10, ...options }).close;
  ending.push(end);
  return end;
}

/** Expired rows from 1 to `old`, followed by live ones. */
const addThings = (old: number, live: number) =>
  db.query(
    `INSERT INTO things SELECT n, now() + CASE WHEN n <= $1 THEN interval '-1 s' ELSE interval '1 h' END
       FROM generate_series(1, $1::int + $2::int) AS n`,
    [old, live],
  );

async function count(where = 'true'): Promise<number> {
  const { rows } = await db.query<{ count: string }>(`SELECT count(*) FROM things WHERE ${where}`);
  return Number(rows[0]?.count);
}

/** Records how many rows each statement deletes, and adds delays. */
async function recordDeletions(slow = ''): Promise<() => Promise<{ size: number; overlaps: boolean }[]>> {
  await db.query('CREATE TABLE deletions (size int, began timestamptz, ended timestamptz)');
  await db.query(`CREATE OR REPLACE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${slow}
      INSERT INTO deletions
        SELECT count(*), statement_timestamp(), clock_timestamp() FROM gone HAVING count(*) > 0;
      RETURN NULL;
    END $$`);
  await db.query(`CREATE TRIGGER note_deletion AFTER DELETE ON things
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()`);
  return async () => {
    const { rows } = await db.query<{ size: number; overlaps: boolean }>(
      `SELECT size, EXISTS (SELECT FROM deletions AS other WHERE other.ctid <> deletions.ctid
                AND (other.began, other.ended) OVERLAPS (deletions.began, deletions.ended)) AS overlaps
         FROM deletions ORDER BY began`,
    );
    return rows;
  };
}

test('removes expired rows in batches, and leaves the rest', async () => {
  const deletions = await recordDeletions();
  await addThings(1234, 10);
  clean({ batch: 500 });
  await expect.poll(() => count()).toBe(10);
  expect((await deletions()).map(({ size }) => size)).toEqual([500, 500, 234]);
});

test('removes rows of a table in batches of its own', async () => {
  const deletions = await recordDeletions();
  await addThings(5, 1);
  clean({ expired: EXPIRED.map((rows) => ({ ...rows, batch: 2 })), batch: 500 });
  await expect.poll(() => count()).toBe(1);
  expect((await deletions()).map(({ size }) => size)).toEqual([2, 2, 1]);
});

test('continues with rows that expire later', async () => {
  clean();
  for (const round of [1, 2, 3]) {
    await addThings(round, 0);
    await expect.poll(() => count()).toBe(0);
  }
});

test('one replica cleans at a time, and together they remove everything', async () => {
  const deletions = await recordDeletions('PERFORM pg_sleep(0.01);');
  await addThings(300, 5);
  for (let replica = 0; replica < 3; replica++) clean({ batch: 20, every_ms: 1 });
  await expect.poll(() => count()).toBe(5);
  const recorded = await deletions();
  expect(recorded.reduce((sum, { size }) => sum + size, 0)).toBe(300);
  expect(recorded.filter(({ overlaps }) => overlaps)).toEqual([]);
});

test('a replica that dies midway leaves nothing half done, and the next continues', async () => {
  await addThings(100, 0);
  await recordDeletions(
    `IF current_setting('application_name') = 'retention-dying' THEN PERFORM pg_sleep(60); END IF;`,
  );
  const dying = open('retention-dying');
  const end = clean({ db: dying });
  const inTheMiddle = `FROM pg_stat_activity
    WHERE application_name = 'retention-dying' AND query LIKE 'DELETE%' AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await db.query(`SELECT ${inTheMiddle}`)).rowCount).toBe(1);

  const ended = end();
  clean();
  expect(await count()).toBe(100);
  await db.query(`SELECT pg_terminate_backend(pid) ${inTheMiddle}`);
  await ended;
  await dying.end();
  await expect.poll(() => count()).toBe(0);
});

test('locked rows are left for the next round', async () => {
  await addThings(3, 0);
  const tx = await db.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('SELECT FROM things WHERE id = 2 FOR UPDATE');
    clean();
    await expect.poll(() => count('id <> 2')).toBe(0);
    expect(await count()).toBe(1);
  } finally {
    await tx.query('ROLLBACK');
    tx.release();
  }
  await expect.poll(() => count()).toBe(0);
});

test('a row that was renewed meanwhile stays', async () => {
  await addThings(1, 0);
  const tx = await db.connect();
  await tx.query('BEGIN');
  await tx.query(`UPDATE things SET expires_at = now() + interval '1 h'`);
  clean();
  await tx.query('COMMIT');
  tx.release();
  await addOne(2);
  await expect.poll(() => count('id = 2')).toBe(0);
  expect(await count('id = 1')).toBe(1);
});
const addOne = (id: number) => db.query(`INSERT INTO things VALUES ($1, now() - interval '1 s')`, [id]);

test('a failing table is logged, and the others are cleaned', async () => {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line: string) => lines.push(line) } });
  await addThings(1, 0);
  clean({ log, expired: [{ table: 'no_such_table', where: 'true' }, ...EXPIRED] });
  await expect.poll(() => count()).toBe(0);
  const line = lines.find((text) => text.includes('expired rows could not be removed'));
  expect(line).toContain('no_such_table');
});

test('closing finishes the current batch, and begins no other', async () => {
  await addThings(1_000, 0);
  await recordDeletions('PERFORM pg_sleep(0.05);');
  const end = clean({ batch: 10 });
  await expect.poll(() => count()).toBeLessThan(1_000);
  await end();
  const left = await count();
  expect(left).toBeGreaterThan(0);
  const { rowCount } = await db.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect(rowCount).toBe(0);
  expect(await count()).toBe(left);
});

test('without an index each round scans one page, and starts over after the last', async () => {
  await addThings(0, 12_000);
  const old = (from: number, to: number) =>
    db.query(`UPDATE things SET expires_at = now() - interval '1 s' WHERE id BETWEEN $1 AND $2`, [from, to]);
  await old(1, 10);
  await old(11_990, 12_000);
  const recorded = await recordDeletions();
  clean({ expired: [{ table: 'things', where: 'expires_at <= now()', paged_by: 'id' }] });
  await expect.poll(() => count()).toBe(12_000 - 21);
  expect((await recorded()).map(({ size }) => size)).toEqual([10, 11]);
  await old(7_000, 7_000);
  await old(20, 20);
  await expect.poll(() => count()).toBe(12_000 - 23);
});
