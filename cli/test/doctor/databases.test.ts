import { fileURLToPath } from 'node:url';
import { dropTestDatabase, newDatabaseUrl, testServer } from '@gatehouse/dev-env/postgres/test-database';
import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { withLogin } from '@gatehouse/kit/db/login';
import { migrate } from '@gatehouse/kit/db/migrate';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { withClient } from '@gatehouse/kit/db/with-client';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../support/run-doctor.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../services/media/migrations', import.meta.url));

/** The URL of a deployment's databases for a superuser. */
let server: string;
/** The database of media, for a superuser and for its role. */
let database: string;
let role_url: string;

beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  const deployment = newDatabaseUrl(server, 'doctor');
  database = databaseUrl(deployment, 'media');
  await migrate({ database_url: database, dir: MIGRATIONS });
  const role = new URL(database).pathname.slice(1);
  const name = pg.escapeIdentifier(role);
  await admin(
    `CREATE ROLE ${name} LOGIN PASSWORD 'secret'`,
    `ALTER DATABASE ${name} OWNER TO ${name}`,
    `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
  );
  await inDatabase(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`);
  role_url = withLogin(deployment, { user: role, password: 'secret' });
  onTestFinished(async () => {
    await dropTestDatabase(database);
    await admin(`DROP ROLE ${name}`);
  });
});

async function admin(...statements: string[]): Promise<void> {
  await inMaintenanceDatabase(server, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
const inDatabase = (statement: string) =>
  withClient({ connectionString: database }, (client) => client.query(statement));
const doctor = (url: string = role_url) => runDoctor('databases', { MEDIA_DATABASE_URL: url });

describe('the database of a service', () => {
  test('with a role of its own and all migrations is fine', async () => {
    const found = await doctor();
    expect(found.map(({ status, subject }) => [status, subject])).toEqual([
      ['ok', 'media'],
      ['ok', 'media'],
      ['ok', 'media'],
    ]);
    expect(found[0]?.text).toMatch(/^PostgreSQL \d/);
  });

  test('has no superuser, whose injection would reach all databases', async () => {
    const deployment = role_url.replace(
      /\/\/[^@]+@/,
      `//${new URL(server).username}:${new URL(server).password}@`,
    );
    expect(await doctor(deployment)).toContainEqual(
      expect.objectContaining({ status: 'problem', text: expect.stringMatching(/^role .* is a superuser$/) }),
    );
    // npm start makes the services' roles with this login.
    expect(await runDoctor('databases', { DATABASE_URL: deployment })).toContainEqual(
      expect.objectContaining({
        status: 'warning',
        subject: 'media',
        text: expect.stringMatching(/is a superuser$/),
      }),
    );
  });

  test('has a role that may open no other service’s', async () => {
    const other = databaseUrl(role_url, 'chat');
    const name = new URL(other).pathname.slice(1);
    await admin(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    onTestFinished(() => admin(`DROP DATABASE ${pg.escapeIdentifier(name)}`));
    expect(await doctor()).toContainEqual(
      expect.objectContaining({ status: 'problem', text: expect.stringMatching(`may open ${name} too$`) }),
    );
    await admin(`REVOKE CONNECT ON DATABASE ${pg.escapeIdentifier(name)} FROM PUBLIC`);
    expect(await doctor()).not.toContainEqual(expect.objectContaining({ status: 'problem' }));
  });

  test('has every migration, unedited; one of a later version is a warning', async () => {
    await inDatabase(
      "UPDATE schema_migration SET name = '9999_later.sql' WHERE name = (SELECT max(name) FROM schema_migration)",
    );
    const found = await doctor();
    expect(found).toContainEqual(
      expect.objectContaining({
        status: 'problem',
        text: expect.stringContaining('these migrations are not applied'),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ status: 'warning', text: 'a later version has migrated: 9999_later.sql' }),
    );
    await inDatabase("UPDATE schema_migration SET name = '0001_baseline.sql', checksum = 'x'");
    expect(await doctor()).toContainEqual(
      expect.objectContaining({
        status: 'problem',
        text: expect.stringContaining('differs from the applied one'),
      }),
    );
    await inDatabase('DROP TABLE schema_migration');
    expect(await doctor()).toContainEqual(
      expect.objectContaining({ status: 'problem', text: 'the database was never migrated' }),
    );
  });

  test('is in UTF-8', async () => {
    const deployment = newDatabaseUrl(server, 'latin');
    const latin = databaseUrl(deployment, 'media');
    const name = pg.escapeIdentifier(new URL(latin).pathname.slice(1));
    await admin(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    onTestFinished(() => dropTestDatabase(latin));
    expect(await doctor(deployment)).toContainEqual(
      expect.objectContaining({ status: 'problem', text: expect.stringContaining('it must be UTF8') }),
    );
  });
});

describe('a connection', () => {
  test.each([
    ['with a wrong password', (url: string) => url.replace(':secret@', ':wrong@'), 'the login is refused'],
    ['to a missing database', (url: string) => `${url}_gone`, 'does not exist'],
    ['to no server', (url: string) => url.replace(/:\d+\//, ':1/'), 'cannot be asked'],
    ['by another protocol', () => 'mysql://here/gatehouse', 'MEDIA_DATABASE_URL must be'],
  ])('%s is a problem, without the password', async (_, change, text) => {
    const found = await doctor(change(role_url));
    expect(found).toMatchObject([{ status: 'problem', text: expect.stringContaining(text) }]);
    expect(JSON.stringify(found)).not.toMatch(/:secret|:wrong/);
  });
});

test('without a URL nothing is checked', async () => {
  expect(await runDoctor('databases', {})).toMatchObject([{ status: 'skipped' }]);
});
