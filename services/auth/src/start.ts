import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import type { Clock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { Config } from './config.ts';
import { openPasswords } from './passwords.ts';
import { authHandlers } from './rpc/index.ts';
import { findAccounts } from './store/accounts.ts';
import { findIdentities } from './store/identities.ts';
import { openRecords } from './store/records.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly clock?: Clock;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Brings the database up to date and serves AuthService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'auth', level: config.log_level });
  return opening(log, async (parts) => {
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'auth',
      max: config.database_pool_size,
    });
    parts.add('database', () => db.end());
    const records = openRecords(db);
    parts.add('records', () => records.$disconnect());

    const handlers = authHandlers({
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, ...(overrides.clock && { clock: overrides.clock }) }),
      passwords: await openPasswords(config.password_concurrency),
      identify: batcher({ run: (credentials) => findIdentities(db, credentials) }),
      findAccount: batcher({ run: (ids) => findAccounts(db, ids) }),
    });
    const server = await serve({
      address: config.listen,
      implementations: [implement(AuthServiceDefinition, handlers)],
      log,
    });
    parts.add('server', () => server.close());
    return { address: server.address, close: () => parts.close() };
  });
}
