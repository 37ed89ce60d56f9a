import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';
import type { Transport } from '@gatehouse/kit/rpc';
import { type CertificateFiles, readCertificateFiles } from '@gatehouse/kit/rpc/settings';

export interface Config {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** host:port, or several separated by commas. */
  readonly chat_address: string;
  readonly auth_address: string;
  readonly media_address: string;
  /** How the services are called. */
  readonly rpc_transport: Transport;
  /** Mutual TLS between processes; undefined: none. */
  readonly rpc_tls: CertificateFiles | undefined;
  /** 0-1023, unique among the processes that make IDs. */
  readonly worker_id: number;
  /** Where Prometheus reads; undefined: nowhere. */
  readonly metrics_listen: string | undefined;
  readonly log_level: string;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => ({
    listen: read.address('LISTEN', '127.0.0.1:8085'),
    server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 2, max: 100, default: 8 }),
    chat_address: read.address('CHAT_ADDRESS', '127.0.0.1:8083'),
    auth_address: read.address('AUTH_ADDRESS', '127.0.0.1:8082'),
    media_address: read.address('MEDIA_ADDRESS', '127.0.0.1:8086'),
    rpc_transport: read.choice('RPC_TRANSPORT', ['stream', 'unary'], 'stream'),
    rpc_tls: readCertificateFiles(read, ['LISTEN', 'CHAT_ADDRESS', 'AUTH_ADDRESS', 'MEDIA_ADDRESS']),
    worker_id: read.integer('WORKER_ID', { min: 0, max: 1023, default: 4 }),
    metrics_listen: read.address('METRICS_LISTEN', '') || undefined,
    log_level: read.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }));
  return { ...config, database_url: databaseUrl(server_url, 'webhook-delivery') };
}
