import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { until } from '@gatehouse/dev-env/until';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../src/db/pool.ts';
import { Announcements } from '../../src/event-log/announcements.ts';
import { eventTable, type LoggedEvent } from '../../src/event-log/event-table.ts';
import { EventTail, type EventTailOptions } from '../../src/event-log/event-tail.ts';
import { type LogReader, readLog } from '../../src/event-log/read-log.ts';
import { silentLogger } from '../../src/log.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
/** Far beyond the patience of every test: with it, only announcements find events. */
const NEVER_MS = 3_600_000;
const PATIENCE_MS = 20_000;

let database: TestDatabase;
let sql: Pool;
beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'announcements');
  sql = pool();
  await sql.query(`
    CREATE TABLE events (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      xact_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      type text NOT NULL
    );
    CREATE INDEX ON events (xact_id, id);
    CREATE TABLE event_log_horizon (singleton boolean PRIMARY KEY, xact_id xid8 NOT NULL, event_id bigint NOT NULL);
    INSERT INTO event_log_horizon VALUES (true, '0', 0)`);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

function pool(): Pool {
  return openPool({ database_url: database.database_url, application_name: 'announcements-test', max: 4 });
}

/** The log as one process sees it. */
function process(options: Partial<EventTailOptions<LoggedEvent>> = {}) {
  const db = pool();
  const table = eventTable<LoggedEvent>(db, 'id, type');
  const tail = new EventTail<LoggedEvent>({
    table,
    announcements: new Announcements(db, silentLogger),
    ...options,
  });
  const write = async (type: string): Promise<void> => {
    await db.query('INSERT INTO events (type) VALUES ($1)', [type]);
    tail.wake();
  };
  onTestFinished(async () => {
    await tail.close();
    await db.end();
  });
  return { tail, table, write };
}

/** Reads the log of a process, and collects the types of its events. */
function follow({ tail, table }: ReturnType<typeof process>): string[] {
  const types: string[] = [];
  const closing = new AbortController();
  const reader: LogReader<LoggedEvent> = { start: undefined, wants: () => true, silence_ms: 10_000 };
  const reading = (async () => {
    for await (const { events } of readLog({ table, tail }, reader, closing.signal))
      types.push(...events.map(({ type }) => type));
  })();
  onTestFinished(async () => {
    closing.abort();
    await reading;
  });
  return types;
}

async function untilQuiet({ tail }: ReturnType<typeof process>, interval_ms = NEVER_MS): Promise<void> {
  await until('the tail is quiet', PATIENCE_MS, () => tail.state().interval_ms === interval_ms || undefined);
}

async function untilReceived(types: readonly string[], type: string): Promise<void> {
  await until(`${type} is received`, PATIENCE_MS, () => types.includes(type) || undefined);
}

/** The server processes that listen. */
async function listeners(): Promise<number[]> {
  const { rows } = await sql.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
  );
  return rows.map(({ pid }) => pid);
}

test('an event of another process wakes an idle reader, without a regular poll', async () => {
  const idle = process({ announced_poll_ms: NEVER_MS });
  const other = process();
  const types = follow(idle);
  await untilQuiet(idle);
  await other.write('FIRST');
  await untilReceived(types, 'FIRST');
});

test('a reader whose connection for announcements is killed polls often, listens again, and is woken again', async () => {
  const idle = process({ announced_poll_ms: NEVER_MS });
  const other = process();
  const types = follow(idle);
  await untilQuiet(idle);
  const before = await listeners();
  expect(before).toHaveLength(1);
  await sql.query('SELECT pg_terminate_backend($1)', [before[0]]);
  await sql.query(`INSERT INTO events (type) VALUES ('MEANWHILE')`); // not announced
  await untilReceived(types, 'MEANWHILE');
  await until('it listens again', PATIENCE_MS, async () => {
    const [now] = await listeners();
    return now !== undefined && now !== before[0] ? true : undefined;
  });
  await untilQuiet(idle);
  await other.write('AFTER');
  await untilReceived(types, 'AFTER');
});

test('an event is found by the regular poll if its writer was killed before it could announce it', async () => {
  const idle = process();
  const types = follow(idle);
  await untilQuiet(idle, 500);
  await sql.query(`INSERT INTO events (type) VALUES ('UNANNOUNCED')`);
  await untilReceived(types, 'UNANNOUNCED');
});

test('bursts of many writers in two processes, each after silence, reach an idle reader completely', async () => {
  const idle = process({ announced_poll_ms: NEVER_MS });
  const writers = [process(), process()];
  const types = follow(idle);
  const written: string[] = [];
  for (let burst = 0; burst < 3; burst++) {
    await untilQuiet(idle);
    await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        for (let count = 0; count < 5; count++) {
          const type = `${burst}-${writer}-${count}`;
          written.push(type);
          await writers[writer % 2]?.write(type);
        }
      }),
    );
    await until('the burst is received', PATIENCE_MS, () => types.length >= written.length || undefined);
  }
  expect(types.toSorted()).toEqual(written.toSorted());
});

test('a client that waits for a reader has the tails of all processes poll', async () => {
  const idle = process({ announced_poll_ms: NEVER_MS });
  const other = process();
  follow(idle);
  await untilQuiet(idle);
  const { polls } = idle.tail.state();
  other.tail.expectReader();
  await until('the idle process has polled', PATIENCE_MS, () => idle.tail.state().polls > polls || undefined);
});

test('only processes with readers listen', async () => {
  const idle = process();
  expect(await listeners()).toEqual([]);
  const leave = idle.tail.enter();
  await idle.tail.head();
  await until('it listens', PATIENCE_MS, async () => ((await listeners()).length === 1 ? true : undefined));
  leave();
  await idle.tail.close();
  await until('it has stopped', PATIENCE_MS, async () =>
    (await listeners()).length === 0 ? true : undefined,
  );
});
