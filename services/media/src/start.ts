import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import { concurrencyMetrics } from '@gatehouse/kit/metrics/concurrency-metrics';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { implement } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import type { Config } from './config.ts';
import { Decoders } from './decoding/decoders.ts';
import { limitDecoding } from './decoding/limit-decoding.ts';
import { mediaHandlers } from './rpc/index.ts';
import { EXPIRED } from './store/expired-rows.ts';

export interface Overrides extends ProcessOverrides {
  /** Overrides the interval of the retention job, a minute. */
  readonly background_every_ms?: number;
  /** Overrides the time limit of decoding a picture, ten seconds. */
  readonly decode_timeout_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** In case the timeout of libvips, five seconds, does not work. */
const DECODE_TIMEOUT_MS = 10_000;
const CONNECTIONS_FOR_WRITES = 2;
/** Reads are short, and a call stream may have this many calls open. */
const MAX_WAITING_READS = 4_096;
/** Rows per deletion: few, because deleting pictures is slow. */
const RETENTION_BATCH = 50;

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'media', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves MediaService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'media', config, ...overrides }, async (runtime) => {
    const { log, resources, registry, hasMetrics } = runtime;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
    });
    const every_ms = overrides.background_every_ms;
    runtime.addJob(
      'expired_rows',
      retentionJob({ db, log, expired: EXPIRED, every_ms, batch: RETENTION_BATCH }),
    );

    const bounds = {
      memory_bytes: config.decoder_memory_bytes,
      time_ms: overrides.decode_timeout_ms ?? DECODE_TIMEOUT_MS,
    };
    const decoders = new Decoders(bounds, log);
    resources.add('decoders', () => decoders.close());
    const handlers = mediaHandlers({
      db,
      decode: limitDecoding(
        (bytes) => decoders.decode(bytes),
        config.decoders,
        hasMetrics
          ? concurrencyMetrics(registry, { name: 'media_decoding', what: 'pictures that are decoded' })
          : undefined,
      ),
      limitReads: concurrency({
        at_once: config.database_pool_size - CONNECTIONS_FOR_WRITES,
        max_waiting: MAX_WAITING_READS,
      }),
    });
    return runtime.serve(config.listen, [implement(MediaServiceDefinition, handlers)], peerRules('media'));
  });
}
