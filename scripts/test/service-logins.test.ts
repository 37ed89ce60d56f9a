import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '@gatehouse/chat/config';
import { start } from '@gatehouse/chat/start';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres';
import { onServer } from '@gatehouse/kit/db/create-database';
import { loginOf, withLogin } from '@gatehouse/kit/db/login';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serviceLogins } from '../suite/service-logins.ts';
import { type Suite, startSuite } from '../suite.ts';

/** Whole suites start here, on machines that may be busy with more. */
const SLOW = { timeout: 120_000 };
const SERVICES = ['auth', 'chat', 'oauth2', 'webhook-delivery', 'media'];
let folder: DataFolder;
let folders = 0;
const suites: Suite[] = [];
const dropping: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await testDataFolder('logins');
});
afterEach(async () => {
  await Promise.all(suites.splice(0).map((suite) => suite.close()));
  for (const drop of dropping.splice(0)) await drop();
});
afterAll(() => folder.remove());

interface SuiteAndWords {
  readonly suite: Suite;
  readonly said: string[];
}

async function begin(
  database_url?: string,
  data_dir = join(folder.path, `${++folders}`),
): Promise<SuiteAndWords> {
  const said: string[] = [];
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'warn',
    ...(database_url && { DATABASE_URL: database_url }),
  };
  const say = (line: string) => said.push(line);
  const suite = await startSuite({ port: 0, data_dir, database_url, env, say });
  suites.push(suite);
  return { suite, said };
}

async function end({ suite }: SuiteAndWords): Promise<void> {
  suites.splice(suites.indexOf(suite), 1);
  await suite.close();
}

/** A server's URL whose databases are this test's alone. */
async function newServer(): Promise<string> {
  const url = await testDatabaseUrl('logins');
  for (const service of SERVICES) {
    const database_url = databaseUrl(url, service);
    const role = new URL(database_url).pathname.slice(1);
    dropping.push(async () => {
      await dropTestDatabase(database_url);
      await onServer(url, (client) => client.query(`DROP ROLE IF EXISTS ${role}`));
    });
  }
  return url;
}

/** What a process was told: its environment, as the kernel shows it. */
async function toldUrl({ suite }: SuiteAndWords, name: string): Promise<string | undefined> {
  const environment = await readFile(`/proc/${suite.pids()[name]}/environ`, 'utf8');
  return environment
    .split('\0')
    .find((entry) => entry.startsWith('DATABASE_URL='))
    ?.slice('DATABASE_URL='.length);
}

/** What becomes of reaching one service's database by what another was told. */
async function reach(told: string | undefined, service: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(told ?? '', service) });
  try {
    await client.connect();
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM schema_migration',
    );
    return rows[0]?.count === 0 ? 'empty' : 'reached';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end();
  }
}

/** Each service reaches its own database and no other; who has none is told of none. */
async function expectSeparate(suite: SuiteAndWords): Promise<void> {
  for (const name of ['gateway', 'ratelimit']) expect(await toldUrl(suite, name)).toBeUndefined();
  for (const name of SERVICES) {
    const told = await toldUrl(suite, name);
    for (const other of SERVICES) {
      const expected = other === name ? 'reached' : expect.stringMatching(/^permission denied for database/);
      expect([name, other, await reach(told, other)]).toEqual([name, other, expected]);
    }
  }
}

test(
  'on the embedded server each service reaches its own database alone, also at the second start',
  SLOW,
  async () => {
    const data_dir = join(folder.path, 'embedded');
    const first = await begin(undefined, data_dir);
    await expectSeparate(first);
    expect(first.said.join()).not.toContain('share');
    const before = loginOf((await toldUrl(first, 'chat')) ?? '');
    await end(first);
    const second = await begin(undefined, data_dir);
    await expectSeparate(second);
    expect(loginOf((await toldUrl(second, 'chat')) ?? '')).toEqual(before);
  },
);

test(
  'suites that share a server, with folders of their own, begin at once and go on side by side',
  SLOW,
  async () => {
    const server = await newServer();
    const both = await Promise.all([begin(server), begin(server)]);
    for (const suite of both) await expectSeparate(suite);
    const third = await begin(server);
    await expectSeparate(third);
    for (const { suite } of [...both, third]) expect((await fetch(`${suite.url}/readyz`)).status).toBe(200);
  },
);

test(
  'databases from before move to their roles, and a service that is started by itself goes on',
  SLOW,
  async () => {
    const server = await newServer();
    const config = readConfig({ LISTEN: '127.0.0.1:0', DATABASE_URL: server });
    const alone = await start(config, { log: silentLogger });
    try {
      const marker = new pg.Client({ connectionString: databaseUrl(server, 'chat') });
      await marker.connect();
      await marker.query('CREATE TABLE from_before AS SELECT 1 AS id');
      const suite = await begin(server);
      await expectSeparate(suite);
      const role = new pg.Client({
        connectionString: databaseUrl((await toldUrl(suite, 'chat')) ?? '', 'chat'),
      });
      await role.connect();
      await role.query('INSERT INTO from_before VALUES (2)');
      expect((await marker.query('SELECT id FROM from_before ORDER BY id')).rows).toEqual([
        { id: 1 },
        { id: 2 },
      ]);
      await Promise.all([marker.end(), role.end()]);

      const again = await start(config, { log: silentLogger });
      await again.close();
    } finally {
      await alone.close();
    }
  },
);

test('a user who may not make roles starts it as before, and one line says so', SLOW, async () => {
  const server = await newServer();
  const user = `${new URL(server).pathname.slice(1)}_user`;
  await onServer(server, (client) => client.query(`CREATE ROLE ${user} LOGIN CREATEDB PASSWORD 'pass'`));
  dropping.push(() => onServer(server, (client) => client.query(`DROP ROLE ${user}`)));
  const managed = withLogin(server, { user, password: 'pass' });
  const suite = await begin(managed);
  for (const name of SERVICES) expect(await toldUrl(suite, name)).toBe(managed);
  expect(suite.said.filter((line) => line.includes('roles'))).toEqual([
    'auth, chat, oauth2, webhook-delivery, media: no database roles of their own, the user of DATABASE_URL is used (the user may not make roles)',
  ]);
});

test('a URL that names no password starts it as before, without a look at the server', async () => {
  const said: string[] = [];
  const url = 'postgresql://user@127.0.0.1:1/gatehouse';
  const urls = await serviceLogins(url, (line) => said.push(line));
  expect(urls).toEqual(Object.fromEntries(SERVICES.map((name) => [name, url])));
  expect(said).toEqual([
    'auth, chat, oauth2, webhook-delivery, media: no database roles of their own, the user of DATABASE_URL is used (DATABASE_URL has no user and password, which are needed to create roles)',
  ]);
});
