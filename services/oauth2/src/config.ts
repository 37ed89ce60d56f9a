import { databaseUrl } from '@gatehouse/kit/db/pool';
import { edgeAddress } from '@gatehouse/kit/edge-address';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
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
    return { ...settings, issuer: issuer(read, settings.web_app_url) };
  });
  return { ...config, database_url: databaseUrl(server_url, 'oauth2') };
}

/** As a header can carry it. Paths and parameters are added to its end. */
function webAppUrl(read: EnvReader): string {
  const url = URL.parse(read.url('WEB_APP_URL', ['http', 'https'], `http://${edgeAddress(read)}`));
  if (url === null) return ''; // a problem already
  const text = url.origin + url.pathname;
  if (url.href !== text) read.problem('WEB_APP_URL must have no query, fragment or user');
  return text.replace(/\/+$/, '');
}

/** It has no path, so that its metadata is where clients look for it (RFC 8414 §3). */
function issuer(read: EnvReader, web_app_url: string): string {
  const url = URL.parse(read.url('BASE_URL', ['http', 'https'], URL.parse(web_app_url)?.origin ?? ''));
  if (url === null) return ''; // a problem already
  if (url.href !== `${url.origin}/`) read.problem('BASE_URL must have no path, query or user');
  return url.origin;
}
