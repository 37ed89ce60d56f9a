import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';
import { baseUrl, webAppUrl } from '@gatehouse/kit/process/base-url';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';

export interface Config extends ProcessConfig {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** host:port, or several separated by commas. */
  readonly chat_address: string;
  readonly auth_address: string;
  readonly media_address: string;
  /** Where clients find the edge, without a path: what the URLs of webhooks are made of. */
  readonly base_url: string;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => ({
    listen: read.listenAddress('LISTEN', '127.0.0.1:8085'),
    server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 2, max: 100, default: 8 }),
    chat_address: read.address('CHAT_ADDRESS', '127.0.0.1:8083'),
    auth_address: read.address('AUTH_ADDRESS', '127.0.0.1:8082'),
    media_address: read.address('MEDIA_ADDRESS', '127.0.0.1:8086'),
    base_url: baseUrl(read, webAppUrl(read)),
    ...readProcessConfig(read, ['LISTEN', 'CHAT_ADDRESS', 'AUTH_ADDRESS', 'MEDIA_ADDRESS']),
  }));
  return { ...config, database_url: databaseUrl(server_url, 'webhook-delivery') };
}
