import { fileURLToPath } from 'node:url';
import { readConfig as readAuth } from '@gatehouse/auth/config';
import { start as startAuth } from '@gatehouse/auth/start';
import { readConfig as readChat } from '@gatehouse/chat/config';
import { start as startChat } from '@gatehouse/chat/start';
import { readConfig as readConsole } from '@gatehouse/console/config';
import { start as startConsole } from '@gatehouse/console/start';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import { type Running, resourceStack } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig as readOauth2 } from '@gatehouse/oauth2/config';
import { start as startOauth2 } from '@gatehouse/oauth2/start';
import { readConfig as readRatelimit } from '@gatehouse/ratelimit/config';
import { start as startRatelimit } from '@gatehouse/ratelimit/start';
import { readConfig as readWebhookDelivery } from '@gatehouse/webhook-delivery/config';
import { start as startWebhookDelivery } from '@gatehouse/webhook-delivery/start';
import type pg from 'pg';
import { type Ended, runCommand } from './run-command.ts';

type Database = 'auth' | 'chat' | 'oauth2' | 'webhook-delivery' | 'console';

/** A console with the services behind it, each on a database of its own. */
export interface Deployment {
  /** Names the addresses of the services, and of the console; no token. */
  readonly env: NodeJS.ProcessEnv;
  readonly db: Readonly<Record<Database, pg.Pool>>;
  /** Adds an operator, and returns a function that runs commands with their token. */
  operator(name: string, role: string): Promise<(...args: string[]) => Promise<Ended>>;
  close(): Promise<void>;
}

const NOWHERE = '127.0.0.1:1';
const SECRET = 'a secret key of tests and long enough';

export async function startDeployment(name: string): Promise<Deployment> {
  const resources = resourceStack();
  const log = silentLogger;
  const databases = new Map<Database, { url: string; pool: pg.Pool }>();
  const env: Record<string, string> = {
    LISTEN: '127.0.0.1:0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: 'postgres://localhost',
    AUTH_SECRET_KEY: SECRET,
    CONSOLE_SECRET_KEY: SECRET,
    CONSOLE_LISTEN: '127.0.0.1:0',
    MEDIA_ADDRESS: NOWHERE,
    REALTIME_PEERS: NOWHERE,
    AUTH_ADDRESS: NOWHERE,
  };

  async function database(service: Database): Promise<string> {
    const dir = fileURLToPath(new URL(`../../../services/${service}/migrations`, import.meta.url));
    const { database_url: url, drop } = await testDatabase(dir, `${name}_${service}`);
    const pool = openPool({ database_url: url, application_name: 'test', max: 2 });
    resources.add(`database of ${service}`, async () => {
      await pool.end();
      await drop();
    });
    databases.set(service, { url, pool });
    return url;
  }
  /** Starts a service whose callers find it from then on. */
  async function run(variable: string, start: () => Promise<Running>): Promise<void> {
    const { address, close } = await start();
    resources.add(variable, close);
    env[variable] = address;
  }

  await run('RATELIMIT_ADDRESS', () => startRatelimit(readRatelimit(env), { log }));
  const chat = await database('chat');
  await run('CHAT_ADDRESS', () => startChat({ ...readChat(env), database_url: chat }, { log }));
  const oauth2 = await database('oauth2');
  await run('OAUTH2_ADDRESS', () => startOauth2({ ...readOauth2(env), database_url: oauth2 }, { log }));
  const webhooks = await database('webhook-delivery');
  await run('WEBHOOK_DELIVERY_ADDRESS', () =>
    startWebhookDelivery({ ...readWebhookDelivery(env), database_url: webhooks }, { log }),
  );
  const auth = await database('auth');
  await run('AUTH_ADDRESS', () => startAuth({ ...readAuth(env), database_url: auth }, { log }));
  const own = await database('console');
  let http = '';
  const onHttp = (address: string): void => {
    http = address;
  };
  await run('CONSOLE_ADDRESS', () =>
    startConsole({ ...readConsole(env), database_url: own }, { log, onHttp }),
  );

  const pool = (service: Database): pg.Pool => {
    const found = databases.get(service);
    if (found === undefined) throw new Error(`${service} has no database`);
    return found.pool;
  };
  const { DATABASE_URL: _, ...addresses } = env;
  const own_env = { ...addresses, GATEHOUSE_CONSOLE_URL: `http://${http}` };
  return {
    env: own_env,
    db: {
      auth: pool('auth'),
      chat: pool('chat'),
      oauth2: pool('oauth2'),
      'webhook-delivery': pool('webhook-delivery'),
      console: pool('console'),
    },
    operator: async (operator, role) => {
      const added = await runCommand(['operators', 'add', operator, '--role', role, '--token', '--json'], {
        env: own_env,
      });
      const { token } = JSON.parse(added.stdout);
      return (...args) => runCommand(args, { env: { ...own_env, GATEHOUSE_TOKEN: token } });
    },
    close: resources.close,
  };
}
