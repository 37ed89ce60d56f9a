import type { Logger } from '@gatehouse/kit/log';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { MemoryOverrides } from './memory-overrides.ts';
import type { IdentityReset, Overrides } from './overrides.ts';
import { RedisOverrides } from './redis-overrides.ts';
import { sealUnder } from './seal.ts';
import type { SharedValues } from './shared-values.ts';

export interface OpenOverridesOptions {
  /** Undefined with a store in this process. */
  readonly values: SharedValues | undefined;
  readonly key_secret: string | undefined;
  readonly now_us: MicrosecondClock;
  /** As in RedisOverridesOptions. */
  readonly onChange: () => void;
  readonly reset: (reset: IdentityReset) => Promise<void>;
  readonly log: Logger;
}

/** The overrides of the store. If it does not answer, there are none until it does. */
export async function openOverrides(options: OpenOverridesOptions): Promise<Overrides & { close(): void }> {
  const { values, key_secret, now_us } = options;
  if (values === undefined || key_secret === undefined) return new MemoryOverrides(now_us);
  const overrides = new RedisOverrides({ ...options, values, seal: sealUnder(key_secret) });
  await overrides.start();
  return overrides;
}
