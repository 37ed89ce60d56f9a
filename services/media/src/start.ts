import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import { turnMetrics } from '@gatehouse/kit/metrics/turn-metrics';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { implement } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import type { Config } from './config.ts';
import { decodeInTurn } from './decoding/decode-in-turn.ts';
import { Decoders } from './decoding/decoders.ts';
import { mediaHandlers } from './rpc/index.ts';
import { EXPIRED } from './store/expired-rows.ts';

export interface Overrides extends ProcessOverrides {
  /** Overrides the interval of the retention job, a minute. */
  readonly background_every_ms?: number;
  /** Overrides the time limit of decoding a picture, ten seconds. */
  readonly decode_within_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** libvips has a timeout of five seconds. This one is for the case that it does not work. */
const DECODE_WITHIN_MS = 10_000;
/** Database connections that reads leave free. */
const NOT_FOR_READS = 2;
/** Each is a short request. A call stream may have as many open. */
const MAX_WAITING_READS = 4_096;
/** Deleting pictures is slow: they are large. */
const REMOVED_AT_ONCE = 50;

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'media', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves MediaService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'media', config, ...overrides }, async (runtime) => {
    const { log, resources, registry, isMeasured } = runtime;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
    });
    const every_ms = overrides.background_every_ms;
    resources.add(
      'retention job',
      retentionJob({ db, log, expired: EXPIRED, every_ms, batch: REMOVED_AT_ONCE }),
    );

    const bounds = {
      memory_bytes: config.decoder_memory_bytes,
      time_ms: overrides.decode_within_ms ?? DECODE_WITHIN_MS,
    };
    const decoders = new Decoders(bounds, log);
    resources.add('decoders', () => decoders.close());
    const handlers = mediaHandlers({
      db,
      decode: decodeInTurn(
        (bytes) => decoders.decode(bytes),
        config.decoders,
        isMeasured
          ? turnMetrics(registry, { name: 'media_decoding', what: 'pictures that are decoded' })
          : undefined,
      ),
      readInTurn: concurrency({
        at_once: config.database_pool_size - NOT_FOR_READS,
        max_waiting: MAX_WAITING_READS,
      }),
    });
    return runtime.serve(config.listen, [implement(MediaServiceDefinition, handlers)], peerRules('media'));
  });
}
