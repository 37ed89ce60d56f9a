import type { Logger } from '@gatehouse/kit/log';
import { connect } from '@gatehouse/kit/rpc';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { Oauth2AdminServiceDefinition } from '@gatehouse/proto/oauth2-admin';
import { type Config, readConfig } from '../src/config.ts';
import type { Hardening } from '../src/hardening.ts';
import { start } from '../src/start.ts';
import { kill, startProgram } from './processes.ts';

export const WEB_APP_URL = 'https://app.test';
export const ISSUER = 'https://api.test';

/** The hardening of these variables; none by default. */
export function hardeningOf(env: Readonly<Record<string, string>> = {}): Hardening {
  return readConfig({ DATABASE_URL: 'postgres://db', ...env }).hardening;
}

/** The addresses of the services that oauth2 calls. */
export interface Addresses {
  readonly auth_address: string;
  readonly chat_address: string;
  readonly media_address: string;
  readonly realtime_address: string;
}

export async function startReplica(
  database_url: string,
  addresses: Addresses,
  hardening: Hardening,
  log: Logger,
) {
  const config: Config = {
    ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
    ...addresses,
    listen: '127.0.0.1:0',
    database_url,
    database_pool_size: 4,
    web_app_url: WEB_APP_URL,
    issuer: ISSUER,
    hardening,
  };
  const running = await start(config, { log });
  const connection = connect(Oauth2ServiceDefinition, { address: running.address });
  const adminConnection = connect(Oauth2AdminServiceDefinition, { address: running.address });
  const close = async () => {
    connection.close();
    adminConnection.close();
    await running.close();
  };
  return { client: connection.client, admin: adminConnection.client, close };
}

/** A replica in a process of its own. */
export async function startReplicaProcess(
  database_url: string,
  { auth_address, chat_address, media_address, realtime_address }: Addresses,
) {
  const { address, process } = await startProgram('oauth2', new URL('fixtures/replica.ts', import.meta.url), {
    DATABASE_URL: database_url,
    LISTEN: '127.0.0.1:0',
    AUTH_ADDRESS: auth_address,
    CHAT_ADDRESS: chat_address,
    MEDIA_ADDRESS: media_address,
    REALTIME_PEERS: realtime_address,
    BASE_URL: ISSUER,
    WEB_APP_URL,
  });
  const connection = connect(Oauth2ServiceDefinition, { address });
  const close = async () => {
    connection.close();
    await kill(process);
  };
  return { client: connection.client, close, process };
}
