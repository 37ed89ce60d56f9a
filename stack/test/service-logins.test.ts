import { join } from 'node:path';
import { readConfig } from '@gatehouse/chat/config';
import { start } from '@gatehouse/chat/start';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { loginOf, withLogin } from '@gatehouse/kit/db/login';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { superviseDatabase } from '../src/database.ts';
import { serviceLogins } from '../src/service-logins.ts';

/** The services' logins at a server, and the lines for people. */
async function logins(server_url: string) {
  const lines: string[] = [];
  const urls = await serviceLogins(server_url, (line) => lines.push(line));
  return { urls, lines };
}

/** A server's URL with a database prefix of this test alone. */
async function newServer(): Promise<string> {
  const url = await testDatabaseUrl('logins');
  for (const service of DATABASE_SERVICES) {
    const database_url = databaseUrl(url, service);
    const role = new URL(database_url).pathname.slice(1);
    onTestFinished(async () => {
      await dropTestDatabase(database_url);
      await inMaintenanceDatabase(url, (client) => client.query(`DROP ROLE IF EXISTS ${role}`));
    });
  }
  return url;
}

/** Connects to one service's database with the login of another. */
async function reach(url: string | undefined, service: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(url ?? '', service) });
  try {
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS reached (id int)');
    return 'reached';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end();
  }
}

async function expectSeparate(urls: Readonly<Record<string, string>>): Promise<void> {
  expect(Object.keys(urls)).toEqual(DATABASE_SERVICES);
  for (const name of DATABASE_SERVICES) {
    for (const other of DATABASE_SERVICES) {
      const expected = other === name ? 'reached' : expect.stringMatching(/^permission denied for database/);
      expect([name, other, await reach(urls[name], other)]).toEqual([name, other, expected]);
    }
  }
}

test('on the embedded server each service reaches only its own database, with the same login at the next start', async () => {
  const folder = await testDataFolder('logins');
  onTestFinished(folder.remove);
  const onEmbedded = async <T>(run: (url: string) => Promise<T>): Promise<T> => {
    const database = await superviseDatabase(folder.path, join(folder.path, 'postgres.log'), () => undefined);
    try {
      return await run(database.url);
    } finally {
      database.keepDown();
      await database.close();
    }
  };
  const before = await onEmbedded(async (url) => {
    const { urls, lines } = await logins(url);
    await expectSeparate(urls);
    expect(lines).toEqual([]);
    return loginOf(urls.chat ?? '');
  });
  await onEmbedded(async (url) => {
    const { urls } = await logins(url);
    await expectSeparate(urls);
    expect(loginOf(urls.chat ?? '')).toEqual(before);
  });
});

test('stacks that share a server get the same logins, even when they start at once', async () => {
  const server = await newServer();
  const both = await Promise.all([logins(server), logins(server)]);
  for (const { urls } of both) await expectSeparate(urls);
  const third = await logins(server);
  for (const { urls } of both) expect(urls).toEqual(third.urls);
});

test('existing databases move to their roles without interrupting a running service', async () => {
  const server = await newServer();
  const config = readConfig({ LISTEN: '127.0.0.1:0', DATABASE_URL: server });
  const alone = await start(config, { log: silentLogger });
  try {
    const marker = new pg.Client({ connectionString: databaseUrl(server, 'chat') });
    await marker.connect();
    await marker.query('CREATE TABLE from_before AS SELECT 1 AS id');
    const { urls } = await logins(server);
    await expectSeparate(urls);
    const role = new pg.Client({ connectionString: databaseUrl(urls.chat ?? '', 'chat') });
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
});

test('a user without the right to create roles serves all services, and one line says so', async () => {
  const server = await newServer();
  const user = `${new URL(server).pathname.slice(1)}_user`;
  await inMaintenanceDatabase(server, (client) =>
    client.query(`CREATE ROLE ${user} LOGIN CREATEDB PASSWORD 'pass'`),
  );
  onTestFinished(() =>
    inMaintenanceDatabase(server, (client) => client.query(`DROP ROLE ${user}`)).then(() => undefined),
  );
  const managed = withLogin(server, { user, password: 'pass' });
  const { urls, lines } = await logins(managed);
  expect(urls).toEqual(Object.fromEntries(DATABASE_SERVICES.map((name) => [name, managed])));
  expect(lines).toEqual([
    `${DATABASE_SERVICES.join(', ')}: no database roles of their own, the user of DATABASE_URL is used (the user may not make roles)`,
  ]);
});

test('a URL without a password serves all services, without a connection to the server', async () => {
  const url = 'postgresql://user@127.0.0.1:1/gatehouse';
  const { urls, lines } = await logins(url);
  expect(urls).toEqual(Object.fromEntries(DATABASE_SERVICES.map((name) => [name, url])));
  expect(lines).toEqual([
    `${DATABASE_SERVICES.join(', ')}: no database roles of their own, the user of DATABASE_URL is used (DATABASE_URL has no user and password, which are needed to create roles)`,
  ]);
});
