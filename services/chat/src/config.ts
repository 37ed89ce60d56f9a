import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';

export interface Config extends ProcessConfig {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** Where the auth service listens: host:port, or several separated by commas. */
  readonly auth_address: string;
  /** Where the ratelimit service listens: host:port, or several separated by commas. */
  readonly ratelimit_address: string;
  /** Where the webhook-delivery service listens: host:port, or several separated by commas. */
  readonly webhook_delivery_address: string;
  /** Where the media service listens: host:port, or several separated by commas. */
  readonly media_address: string;
  /** How long events stay in the log. */
  readonly event_retention_minutes: number;
  /** How long entries of the audit log stay. */
  readonly audit_log_days: number;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => ({
    listen: read.listenAddress('LISTEN', '127.0.0.1:8083'),
    server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 3, max: 100, default: 8 }),
    auth_address: read.address('AUTH_ADDRESS', '127.0.0.1:8082'),
    ratelimit_address: read.address('RATELIMIT_ADDRESS', '127.0.0.1:8081'),
    webhook_delivery_address: read.address('WEBHOOK_DELIVERY_ADDRESS', '127.0.0.1:8085'),
    media_address: read.address('MEDIA_ADDRESS', '127.0.0.1:8086'),
    event_retention_minutes: read.integer('EVENT_RETENTION_MINUTES', { min: 1, max: 10_080, default: 60 }),
    audit_log_days: read.integer('AUDIT_LOG_DAYS', { min: 1, max: 3650, default: 90 }),
    ...readProcessConfig(read, [
      'LISTEN',
      'AUTH_ADDRESS',
      'RATELIMIT_ADDRESS',
      'WEBHOOK_DELIVERY_ADDRESS',
      'MEDIA_ADDRESS',
    ]),
  }));
  return { ...config, database_url: databaseUrl(server_url, 'chat') };
}
