import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { postgresPrograms } from '@gatehouse/dev-env/postgres/postgres-programs';
import { until } from '@gatehouse/dev-env/until';
import { inMaintenanceDatabase, maintenanceUrl } from '@gatehouse/kit/db/create-database';
import { withLogin } from '@gatehouse/kit/db/login';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { runScript } from '../support/command.ts';
import { docsExample } from '../support/docs-example.ts';
import { expectError } from '../support/expect-error.ts';
import { type OwnStack, openStack, PROXIED } from '../support/stack.ts';
import { contentsOf, createStory, expectLogin, expectStory, expectWebhook, type Story } from './story.ts';

const programs = await postgresPrograms();
const run = promisify(execFile);

/** A role as on a managed server: it creates roles and databases, and is not a superuser. */
const OPERATOR = { user: 'operator', password: randomBytes(16).toString('hex') };
/** The key is part of the backup. */
const ENV = { ...PROXIED, AUTH_SECRET_KEY: randomBytes(32).toString('hex') };

describe.skipIf(programs === undefined)('a backup made with the commands in docs/backup.md', () => {
  const opened = resourceStack();
  afterAll(() => opened.close());

  it('restores a stack on another server, and over existing databases', async () => {
    const { path: BACKUP, remove } = await testDataFolder('backup');
    opened.add('backup', remove);
    const lost = await newServer();
    let stack = await startOn(lost.url);
    const story = await createStory(stack.api);
    // The old server has many more transactions than the new one.
    for (const name of ['auth', 'chat'])
      await query(lost.url, name, "UPDATE event_log_horizon SET xact_id = '4000000000', event_id = 1000000");
    await page('pg_dump', { SERVER: lost.url, BACKUP });

    await story.hook.say({ content: 'after the backup' });
    const left = await story.session(stack.api).post('/auth/logout');
    expect(left.status, left.text).toBe(204);
    await stack.close();
    await lost.destroy();

    const { url: SERVER } = await newServer();
    await page('pg_restore', { SERVER, BACKUP });
    stack = await startOn(SERVER);
    await expectStory(stack.api, story);
    expect(await contentsOf(stack.api, story)).not.toContain('after the backup');
    await expectOwnRoles(SERVER);
    await expectEvents(stack, story);
    await stack.close();

    // The databases now belong to the services' roles.
    await page('pg_restore', { SERVER, BACKUP });
    await page('DELETE FROM sessions', { SERVER, BACKUP });
    stack = await startOn(SERVER);
    for (const ended of [story.session, story.owner, story.application])
      expectError(await ended(stack.api).get('/users/@me'), 401, 'UNAUTHORIZED');
    const again = stack.api.as(`Bearer ${await expectLogin(stack.api, story)}`);
    expect((await again.get('/users/@me')).status).toBe(200);
    await expectWebhook(stack.api, story);
    await expectOwnRoles(SERVER);
  }, 300_000);

  /** Starts a server. The URL is the operator's login, without a database. */
  async function newServer(): Promise<{ readonly url: string; destroy(): Promise<void> }> {
    const folder = await testDataFolder('backup-server');
    opened.add('folder', folder.remove);
    const server = await startEmbeddedPostgres({ dataDir: folder.path });
    opened.add('server', server.close);
    const password = pg.escapeLiteral(OPERATOR.password);
    await inMaintenanceDatabase(server.url, (client) =>
      client.query(`CREATE ROLE ${OPERATOR.user} LOGIN CREATEROLE CREATEDB PASSWORD ${password}`),
    );
    const url = new URL(withLogin(server.url, OPERATOR));
    const destroy = async () => {
      await server.close();
      await folder.remove();
    };
    return { url: `${url.protocol}//${url.username}:${url.password}@${url.host}`, destroy };
  }

  async function startOn(server: string): Promise<OwnStack> {
    const stack = await openStack(ENV, server);
    opened.add('stack', stack.close);
    return stack;
  }
});

/** Runs the commands in the page's code block that contains `text`. */
async function page(
  holds: string,
  settings: { readonly SERVER: string; readonly BACKUP: string },
): Promise<void> {
  const PATH = programs === '' ? process.env.PATH : `${programs}:${process.env.PATH}`;
  await run('sh', ['-ec', docsExample('backup.md', 'sh', holds)], { env: { ...settings, PATH } });
}

/** Expects that each database belongs to its service's role and that no other role may connect. */
async function expectOwnRoles(server: string): Promise<void> {
  const rows = await inMaintenanceDatabase(maintenanceUrl(server), async (client) => {
    const found = await client.query<{ name: string; owner: string; open: boolean }>(
      `SELECT datname AS name, pg_get_userbyid(datdba) AS owner,
              has_database_privilege('public', oid, 'CONNECT') AS open
         FROM pg_database WHERE starts_with(datname, 'gatehouse_') ORDER BY datname`,
    );
    return found.rows;
  });
  const names = DATABASE_SERVICES.map((name) => `gatehouse_${name.replaceAll('-', '_')}`).sort();
  expect(rows).toEqual(names.map((name) => ({ name, owner: name, open: false })));
}

/** Expects that a new reader of the event log gets new events. */
async function expectEvents({ api, running }: OwnStack, story: Story): Promise<void> {
  const reader = runScript('cli/src/main.ts', ['rpc', 'call', 'ChatService/ReadEvents'], {
    CHAT_ADDRESS: running.addresses.chat ?? '',
  });
  const says = (what: string) =>
    until(`the reader says ${what}`, 30_000, () => {
      if (reader.stderr() !== '') throw new Error(reader.stderr());
      return reader.stdout().includes(what) || undefined;
    });
  try {
    await says('cursor');
    await expectWebhook(api, story);
    await says('MESSAGE_CREATE');
  } finally {
    reader.kill('SIGTERM');
    await reader.ended;
  }
}

async function query(server: string, service: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(server, service) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
