import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { type MicrosecondClock, monotonicClock } from './clock.ts';
import type { Config } from './config.ts';
import { memoryStore } from './memory-store.ts';
import { readReference } from './reference.ts';
import { ratelimitHandlers } from './rpc/index.ts';
import { sweeper } from './sweeper.ts';

const REFERENCE = new URL('../buckets.json', import.meta.url);

export interface Overrides {
  readonly log?: Logger;
  readonly now_us?: MicrosecondClock;
}

export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'ratelimit', level: config.log_level });
  const now_us = overrides.now_us ?? monotonicClock;

  return opening(log, async (parts) => {
    const reference = readReference(REFERENCE);
    const store = memoryStore({ rules: reference.rules, max_buckets: config.max_buckets, now_us: now_us() });
    const sweeping = sweeper(store, now_us, log);
    parts.add('sweeper', sweeping.close);

    const handlers = ratelimitHandlers({ reference, store, now_us, enforced: config.rate_limits });
    const server = await serve({
      address: config.listen,
      implementations: [implement(RatelimitServiceDefinition, handlers)],
      log,
    });
    parts.add('server', server.close);

    if (!config.rate_limits) log.warn('rate limits are switched off: every check passes');
    return { address: server.address, close: parts.close };
  });
}
