import { fileURLToPath } from 'node:url';
import { concurrency } from '@gatehouse/kit/concurrency';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import type { Config } from './config.ts';
import { decodeInTurn } from './decoding/decode-in-turn.ts';
import { openDecoders } from './decoding/decoders.ts';
import { mediaHandlers } from './rpc/index.ts';
import { EXPIRED } from './store/expired-rows.ts';

export interface Overrides {
  readonly log?: Logger;
  /** How often the retention job looks, instead of each minute. */
  readonly background_every_ms?: number;
  /** How long a picture may be decoded, instead of ten seconds. */
  readonly decode_within_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** libvips gives up after five seconds of its own; this is for one that does not. */
const DECODE_WITHIN_MS = 10_000;
/** Connections that no reader of pictures takes. */
const NOT_FOR_READS = 2;
/** Each is a short request; as many as a call stream may have open. */
const MAX_WAITING_READS = 4_096;
/** Pictures are large to remove. */
const REMOVED_AT_ONCE = 50;

/** Brings the database up to date and serves MediaService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'media', level: config.log_level });
  return opening(log, async (parts) => {
    const { rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'media', log });
    parts.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'media',
      max: config.database_pool_size,
      log,
    });
    parts.add('database', () => db.end());
    const every_ms = overrides.background_every_ms;
    parts.add('retention job', retentionJob({ db, log, expired: EXPIRED, every_ms, batch: REMOVED_AT_ONCE }));

    const bounds = {
      memory_bytes: config.decoder_memory_bytes,
      time_ms: overrides.decode_within_ms ?? DECODE_WITHIN_MS,
    };
    const decoders = openDecoders(bounds, log);
    parts.add('decoders', () => decoders.close());
    const handlers = mediaHandlers({
      db,
      decode: decodeInTurn(decoders.decode, config.decoders),
      readInTurn: concurrency({
        at_once: config.database_pool_size - NOT_FOR_READS,
        max_waiting: MAX_WAITING_READS,
      }),
    });
    const server = await serve({
      address: config.listen,
      implementations: [implement(MediaServiceDefinition, handlers)],
      log,
      tls: certificates && { certificates, peers: peerRules('media') },
    });
    parts.add('server', () => server.close());
    return { address: server.address, close: () => parts.close() };
  });
}
