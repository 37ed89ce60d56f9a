import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import { createLogger } from '@gatehouse/kit/log';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { ConsoleServiceDefinition } from '@gatehouse/proto/console';
import type pg from 'pg';
import { type Addresses, type Config, readConfig } from '../src/config.ts';
import { start } from '../src/start.ts';

/** The service with its database. None of the other services runs unless its address is given. */
export interface ConsoleUnderTest {
  readonly operators: Client<typeof ConsoleServiceDefinition>;
  readonly db: pg.Pool;
  /** The URL of pages and of the HTTP API, without a trailing slash. */
  readonly url: string;
  /** The service's log so far. */
  readonly log: readonly string[];
  /** The folder with the link of the operator `local`. */
  readonly local_dir: string;
  close(): Promise<void>;
}

const NOWHERE = '127.0.0.1:1';
export const NO_SERVICE: Addresses = {
  ratelimit: NOWHERE,
  auth: NOWHERE,
  chat: NOWHERE,
  oauth2: NOWHERE,
  webhook_delivery: NOWHERE,
  media: NOWHERE,
  realtime: NOWHERE,
};
export const IN_TIME = { timeoutMs: 10_000 };

export async function startConsole(name: string, config: Partial<Config> = {}): Promise<ConsoleUnderTest> {
  const database = await testDatabase(fileURLToPath(new URL('../migrations', import.meta.url)), name);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-console-'));
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const log: string[] = [];
  let host = '';
  const settings: Config = {
    ...readConfig({
      DATABASE_URL: 'postgres://localhost',
      CONSOLE_SECRET_KEY: 'a secret key that is only for tests',
      LOG_LEVEL: 'trace',
    }),
    listen: '127.0.0.1:0',
    http_listen: '127.0.0.1:0',
    database_url: database.database_url,
    database_pool_size: 4,
    addresses: NO_SERVICE,
    local_dir: join(folder, 'console'),
    ...config,
  };
  const running = await start(settings, {
    log: createLogger({ name: 'console', level: 'trace', destination: { write: (line) => log.push(line) } }),
    onHttp: (address) => {
      host = address;
    },
  });
  const connection = connect(ConsoleServiceDefinition, { address: running.address });
  return {
    operators: connection.client,
    db,
    url: `${settings.tls === undefined ? 'http' : 'https'}://${host.replace('127.0.0.1', 'localhost')}`,
    log,
    local_dir: settings.local_dir,
    close: async () => {
      connection.close();
      await running.close();
      await db.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
