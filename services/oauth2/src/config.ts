import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';
import { baseUrl, webAppUrl } from '@gatehouse/kit/process/base-url';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { type Hardening, readHardening } from './hardening.ts';

export interface Config extends ProcessConfig {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** The address of auth: host:port, or several separated by commas. */
  readonly auth_address: string;
  /** The address of chat: host:port, or several separated by commas. */
  readonly chat_address: string;
  /** The web app, without a slash at its end. */
  readonly web_app_url: string;
  /** Where clients find the edge, without a path: the issuer of RFC 8414. */
  readonly issuer: string;
  readonly hardening: Hardening;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => {
    const settings = {
      listen: read.listenAddress('LISTEN', '127.0.0.1:8084'),
      server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
      database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 2, max: 100, default: 8 }),
      auth_address: read.address('AUTH_ADDRESS', '127.0.0.1:8082'),
      chat_address: read.address('CHAT_ADDRESS', '127.0.0.1:8083'),
      web_app_url: webAppUrl(read),
      hardening: readHardening(read),
      ...readProcessConfig(read, ['LISTEN', 'AUTH_ADDRESS', 'CHAT_ADDRESS']),
    };
    return { ...settings, issuer: baseUrl(read, settings.web_app_url) };
  });
  return { ...config, database_url: databaseUrl(server_url, 'oauth2') };
}
