import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { readEnv } from '@gatehouse/kit/env';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { listenSetting, SERVICES } from '@gatehouse/proto/services';

export interface Config extends ProcessConfig, DatabaseConfig {
  readonly listen: string;
  readonly decoders: number;
  readonly decoder_memory_bytes: number;
}

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => ({
    listen: read.listenAddress(...listenSetting('media')),
    ...readDatabaseConfig(read, 'media', SERVICES.media.database),
    decoders: read.integer('MEDIA_DECODERS', {
      about: 'processes that decode pictures, each one picture at a time',
      min: 1,
      max: 16,
      default: 1,
    }),
    decoder_memory_bytes:
      read.integer('MEDIA_DECODER_MEMORY_MIB', {
        about: 'memory limit of a decoder in MiB; one over it is killed; the largest pictures take some 630',
        min: 256,
        max: 65_536,
        default: 1024,
      }) *
      1024 *
      1024,
    ...readProcessConfig(read, ['LISTEN']),
  }));
}
