import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { readEnv } from '@gatehouse/kit/env';
import { baseUrl, webAppUrl } from '@gatehouse/kit/process/base-url';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { addressSetting, defaultAddress, listenSetting, SERVICES } from '@gatehouse/proto/services';
import { type Hardening, readHardening } from './hardening.ts';

export interface Config extends ProcessConfig, DatabaseConfig {
  readonly listen: string;
  readonly auth_address: string;
  readonly chat_address: string;
  readonly media_address: string;
  readonly realtime_address: string;
  /** Without a slash at its end. */
  readonly web_app_url: string;
  readonly issuer: string;
  readonly hardening: Hardening;
}

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const settings = {
      listen: read.listenAddress(...listenSetting('oauth2')),
      ...readDatabaseConfig(read, 'oauth2', SERVICES.oauth2.database),
      auth_address: read.address(...addressSetting('auth')),
      chat_address: read.address(...addressSetting('chat')),
      media_address: read.address(...addressSetting('media')),
      realtime_address: read.address('REALTIME_PEERS', {
        about: 'replicas of realtime: host:port, or several separated by commas',
        default: defaultAddress('realtime'),
      }),
      web_app_url: webAppUrl(read),
      hardening: readHardening(read),
      ...readProcessConfig(read, [
        'LISTEN',
        'AUTH_ADDRESS',
        'CHAT_ADDRESS',
        'MEDIA_ADDRESS',
        'REALTIME_PEERS',
      ]),
    };
    return { ...settings, issuer: baseUrl(read, settings.web_app_url) };
  });
}
