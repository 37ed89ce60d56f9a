import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';

export interface Config {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** 0-1023, unique among the processes that make IDs. */
  readonly worker_id: number;
  readonly log_level: string;
  /** How many passwords are hashed at once; each takes a core and 19 MiB for some 25 ms. */
  readonly password_concurrency: number;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => ({
    listen: read.address('LISTEN', '127.0.0.1:8082'),
    server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 2, max: 100, default: 8 }),
    worker_id: read.integer('WORKER_ID', { min: 0, max: 1023, default: 1 }),
    log_level: read.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
    password_concurrency: read.integer('PASSWORD_CONCURRENCY', { min: 1, max: 16, default: 2 }),
  }));
  return { ...config, database_url: databaseUrl(server_url, 'auth') };
}
