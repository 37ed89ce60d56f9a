import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { readEnv } from '@gatehouse/kit/env';
import { readEventRetention } from '@gatehouse/kit/event-log/event-retention';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { addressSetting, listenSetting, SERVICES } from '@gatehouse/proto/services';

export interface Config extends ProcessConfig, DatabaseConfig {
  readonly listen: string;
  readonly auth_address: string;
  readonly ratelimit_address: string;
  readonly webhook_delivery_address: string;
  readonly media_address: string;
  readonly event_retention_minutes: number;
  readonly audit_log_days: number;
}

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => ({
    listen: read.listenAddress(...listenSetting('chat')),
    ...readDatabaseConfig(read, 'chat', SERVICES.chat.database),
    auth_address: read.address(...addressSetting('auth')),
    ratelimit_address: read.address(...addressSetting('ratelimit')),
    webhook_delivery_address: read.address(...addressSetting('webhook-delivery')),
    media_address: read.address(...addressSetting('media')),
    event_retention_minutes: readEventRetention(read),
    audit_log_days: read.integer('AUDIT_LOG_DAYS', {
      about: 'days that entries of a guild’s audit log stay',
      min: 1,
      max: 3650,
      default: 90,
    }),
    ...readProcessConfig(read, [
      'LISTEN',
      'AUTH_ADDRESS',
      'RATELIMIT_ADDRESS',
      'WEBHOOK_DELIVERY_ADDRESS',
      'MEDIA_ADDRESS',
    ]),
  }));
}
