import type { Rate } from './leaky-bucket.ts';

/** A kind of bucket: how fast all buckets of the kind drain. */
export interface BucketRule extends Rate {
  readonly name: string;
  /** Small, and its own for the life of the process: a rule that is read anew keeps it. */
  readonly index: number;
  /** Which share of a full store its buckets have (place-shares.ts); absent is 0. */
  readonly group?: number;
}

/** One bucket. */
export interface Bucket {
  readonly rule: BucketRule;
  /** Its identities as one text. */
  readonly key: string;
}

/** One bucket and what it is to be charged. */
export interface Charge extends Bucket {
  /**
   * Tokens, at most one more than the rule's limit, which is always denied. 0 only asks whether one token would be
   * admitted; below 0 gives back, never more than is still there, and is always admitted.
   */
  readonly cost: number;
}

/**
 * What one request counts against. Sets are charged in order until one denies, and what earlier sets
 * charged stays charged; within a set all are charged or none. A set names no bucket twice.
 */
export type Check = readonly (readonly Charge[])[];

export interface Denial extends Bucket {
  /** Microseconds until the same charge is admitted if nobody else charges the bucket. */
  readonly retry_after_us: number;
  /** Microseconds until the bucket is completely empty. */
  readonly empty_after_us: number;
}

export interface BucketState extends Bucket {
  /** token·microseconds, as of now. */
  readonly level: number;
  /** Microseconds until one token is admitted; 0: now. */
  readonly retry_after_us: number;
  readonly empty_after_us: number;
}

/** What a check comes to: of several buckets that deny, the one with the longest wait. */
export type Decision = Denial | undefined;

/** Where levels are kept. Each check is one atomic step. */
export interface Store {
  decide(checks: readonly Check[]): readonly Decision[] | Promise<readonly Decision[]>;
  read(buckets: readonly Bucket[]): readonly BucketState[] | Promise<readonly BucketState[]>;
  /** Empties buckets. */
  reset(buckets: readonly Bucket[]): void | Promise<void>;
}
