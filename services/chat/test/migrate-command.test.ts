import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { withLogin } from '@gatehouse/kit/db/login';
import { readMigrations } from '@gatehouse/kit/db/migrations';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const PASSWORD = 'a/b:c@d';

interface Server {
  /** The administrator's URL of the server. */
  readonly admin_url: string;
  /** The service's own login, without the database's suffix. */
  readonly database_url: string;
  /** The service's database and its role's name. */
  readonly name: string;
}

/** A missing database, and a login without its role. */
async function newServer(): Promise<Server> {
  const admin_url = await testDatabaseUrl(`migrate_command_${randomBytes(2).toString('hex')}`);
  const base = new URL(admin_url).pathname.slice(1);
  const name = `${base}_chat`;
  onTestFinished(async () => {
    const own = new URL(admin_url);
    own.pathname = `/${name}`;
    await dropTestDatabase(own.href);
    await inMaintenanceDatabase(admin_url, (client) =>
      client.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(name)}`),
    );
  });
  return {
    admin_url: withPath(admin_url, '/postgres'),
    database_url: withLogin(admin_url, { user: name, password: PASSWORD }),
    name,
  };
}

function withPath(url: string, pathname: string): string {
  const changed = new URL(url);
  changed.pathname = pathname;
  return changed.href;
}

interface Ended {
  readonly code: number;
  readonly errors: string;
}

function migrate(env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', MAIN, 'migrate'],
      { env: { PATH: process.env.PATH, ...env } },
      (error, _, errors) => resolve({ code: error === null ? 0 : Number(error.code), errors }),
    );
  });
}

async function migrationsIn({ database_url, name }: Server): Promise<unknown> {
  const client = new pg.Client({ connectionString: withPath(database_url, `/${name}`) });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT count(*)::int AS count, current_user FROM schema_migration');
    return rows[0];
  } finally {
    await client.end();
  }
}

test('creates the role and the database and migrates it, also concurrently and repeatedly', async () => {
  const server = await newServer();
  const env = { DATABASE_URL: server.database_url, ADMIN_DATABASE_URL: server.admin_url };
  const done = { code: 0, errors: '' };
  expect(await Promise.all([migrate(env), migrate(env)])).toEqual([done, done]);
  const migrated = { count: (await readMigrations(MIGRATIONS)).length, current_user: server.name };
  expect(await migrationsIn(server)).toEqual(migrated);
  expect(await migrate(env)).toEqual(done);
  expect(await migrate({ DATABASE_URL: server.database_url }), 'without the administrator').toEqual(done);
  expect(await migrationsIn(server)).toEqual(migrated);
});

test('reports the login that DATABASE_URL needs, and creates nothing', async () => {
  const server = await newServer();
  const wrong = [
    withLogin(server.database_url, { user: 'somebody', password: PASSWORD }),
    withLogin(server.database_url, { user: server.name, password: '' }),
  ];
  for (const DATABASE_URL of wrong) {
    const { code, errors } = await migrate({ DATABASE_URL, ADMIN_DATABASE_URL: server.admin_url });
    expect(code).toBe(78);
    expect(errors).toContain(`DATABASE_URL must name the user ${server.name}, with a password`);
    expect(errors, 'a message without a stack').not.toContain(' at ');
  }
  const made = await inMaintenanceDatabase(server.admin_url, (client) =>
    client.query('SELECT FROM pg_roles WHERE rolname = $1', [server.name]),
  );
  expect(made.rowCount).toBe(0);
});

test('reports why an administrator cannot create the role', async () => {
  const server = await newServer();
  const { name, database_url, admin_url } = server;
  await inMaintenanceDatabase(admin_url, (client) =>
    client.query(`CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN PASSWORD 'theirs'`),
  );
  const { code, errors } = await migrate({ DATABASE_URL: database_url, ADMIN_DATABASE_URL: admin_url });
  expect(code).toBe(78);
  expect(errors).toContain(`ADMIN_DATABASE_URL cannot be used: there is a role ${name} already`);
});
