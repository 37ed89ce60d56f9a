import { databaseUrl } from '@gatehouse/kit/db/pool';
import { readEnv } from '@gatehouse/kit/env';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';

export interface Config extends ProcessConfig {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** Number of decoder processes. Each decodes one picture at a time. */
  readonly decoders: number;
  /** Memory limit of each decoder. One that exceeds it is ended. */
  readonly decoder_memory_bytes: number;
}

const MiB = 1024 * 1024;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => ({
    listen: read.listenAddress('LISTEN', '127.0.0.1:8086'),
    server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 3, max: 100, default: 8 }),
    decoders: read.integer('MEDIA_DECODERS', { min: 1, max: 16, default: 1 }),
    decoder_memory_bytes:
      read.integer('MEDIA_DECODER_MEMORY_MIB', { min: 256, max: 65_536, default: 1024 }) * MiB,
    ...readProcessConfig(read, ['LISTEN']),
  }));
  return { ...config, database_url: databaseUrl(server_url, 'media') };
}
