import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { readEnv } from '@gatehouse/kit/env';
import { baseUrl, webAppUrl } from '@gatehouse/kit/process/base-url';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { addressSetting, listenSetting, SERVICES } from '@gatehouse/proto/services';

export interface Config extends ProcessConfig, DatabaseConfig {
  readonly listen: string;
  readonly chat_address: string;
  readonly auth_address: string;
  readonly media_address: string;
  readonly base_url: string;
}

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => ({
    listen: read.listenAddress(...listenSetting('webhook-delivery')),
    ...readDatabaseConfig(read, 'webhook-delivery', SERVICES['webhook-delivery'].database),
    chat_address: read.address(...addressSetting('chat')),
    auth_address: read.address(...addressSetting('auth')),
    media_address: read.address(...addressSetting('media')),
    base_url: baseUrl(read, webAppUrl(read)),
    ...readProcessConfig(read, ['LISTEN', 'CHAT_ADDRESS', 'AUTH_ADDRESS', 'MEDIA_ADDRESS']),
  }));
}
