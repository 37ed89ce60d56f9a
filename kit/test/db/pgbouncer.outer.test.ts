import { fileURLToPath } from 'node:url';
import { pgbouncerProgram, startPgBouncer } from '@gatehouse/dev-env/postgres/pgbouncer';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';
import { Announcements } from '../../src/event-log/announcements.ts';
import { silentLogger } from '../../src/log.ts';

const dir = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
const program = await pgbouncerProgram();
const DROPPED = 'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(dir, 'pgbouncer');
});
afterAll(() => database.drop());

async function through(...settings: string[]): Promise<string> {
  const bouncer = await startPgBouncer(database.database_url, settings);
  onTestFinished(bouncer.close);
  return bouncer.through(database.database_url);
}

test.skipIf(program === undefined)('PgBouncer in session mode works as documented', async () => {
  const database_url = await through('pool_mode = session', DROPPED);
  await migrate({ database_url, dir });
  const pool = openPool({ database_url, application_name: 'test', max: 3 });
  const ask = () => pool.query({ name: 'one', text: 'SELECT 1 AS one' });
  const answers = await Promise.all(Array.from({ length: 9 }, ask));
  expect(answers.flatMap(({ rows }) => rows)).toEqual(Array(9).fill({ one: 1 }));
  await pool.end();
});

test.skipIf(program === undefined)(
  'announcements of events pass through PgBouncer in session mode',
  async () => {
    const database_url = await through('pool_mode = session', DROPPED);
    const pool = openPool({ database_url, application_name: 'test', max: 3 });
    const announcements = new Announcements(pool, silentLogger);
    const twice = Promise.withResolvers<void>();
    let heard = 0;
    announcements.listen(() => {
      heard++;
      if (heard === 1) announcements.announce(); // it listens
      if (heard === 2) twice.resolve();
    });
    await twice.promise;
    announcements.stop();
    await announcements.close();
    await pool.end();
  },
);

test.skipIf(program === undefined).each(['transaction', 'statement'])(
  'PgBouncer in %s mode is refused at start',
  async (mode) => {
    const database_url = await through(`pool_mode = ${mode}`, DROPPED);
    await expect(migrate({ database_url, dir })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('pool_mode = session'),
    });
  },
);

test.skipIf(program === undefined)(
  "a PgBouncer that refuses a parameter fails the start with the parameter's name",
  async () => {
    const database_url = await through('pool_mode = session');
    await expect(migrate({ database_url, dir })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/refuses the parameter \w+: set ignore_startup_parameters/),
    });
  },
);
