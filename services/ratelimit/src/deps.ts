import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { ChargeReader } from './checks/charge-reader.ts';
import type { CheckSession } from './checks/check-session.ts';
import type { Decider } from './checks/decider.ts';
import type { DeniedIdentities } from './denied/denied-identities.ts';
import type { Descriptors } from './descriptors/descriptors.ts';
import type { HeaderForm } from './envoy/quota-headers.ts';
import type { IdentityBuckets } from './overrides/identity-buckets.ts';
import type { Overrides } from './overrides/overrides.ts';
import type { Rules } from './reference/rules.ts';
import type { Statistics } from './statistics.ts';

/** The dependencies of the RPCs. */
export interface Deps {
  /** The current rules; a reload changes them. */
  readonly rules: Rules;
  /** Finds the rules and keys of callers' charges. */
  readonly charges: ChargeReader;
  /** The domains of other limits for Envoy. */
  readonly descriptors: Descriptors;
  /** The headers of the remaining quota on answers to Envoy. */
  readonly header_forms: readonly HeaderForm[];
  readonly decider: Decider;
  readonly overrides: Overrides;
  /** The identities that were denied in the last minutes. */
  readonly denied: DeniedIdentities;
  /** The buckets of an identity. */
  readonly identityBuckets: IdentityBuckets;
  /** The open streams of checks. */
  readonly checkSessions: Set<CheckSession>;
  readonly statistics: Statistics;
  /** The store: buckets in memory, or in Redis. */
  readonly store_name: 'memory' | 'redis';
  /** Whether the store answers now. */
  readonly isStoreUp: () => boolean;
  /** The buckets in this process: all of them, or those of failure policies. */
  readonly memory: Pick<MemoryStore, 'size'>;
}
