import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { ChargeReader } from './checks/charge-reader.ts';
import type { Decider } from './checks/decider.ts';
import type { Rules } from './reference/rules.ts';
import type { Statistics } from './statistics.ts';

/** What the RPCs work with. */
export interface Deps {
  /** The rules that hold now; they change under a reload. */
  readonly rules: Rules;
  /** Turns charges as callers name them into what the decider takes. */
  readonly charges: ChargeReader;
  readonly decider: Decider;
  readonly statistics: Statistics;
  /** What decides: buckets in memory, or those in Redis. */
  readonly store_name: 'memory' | 'redis';
  /** Whether the store answers now. */
  readonly isStoreUp: () => boolean;
  /** The buckets in this process: all of them, or those of failure policies. */
  readonly memory: Pick<MemoryStore, 'size'>;
}
