import type { Rate } from './rate.ts';

/** The rule of a bucket: its kind, limit and window. */
export interface BucketRule extends Rate {
  readonly name: string;
  /** A small number, unique for the life of the process. A rule keeps it when it is read again. */
  readonly index: number;
  /** The group whose share of a full store its buckets take (slot-shares.ts); 0 by default. */
  readonly group?: number;
}

/** One bucket. */
export interface Bucket {
  readonly rule: BucketRule;
  /** Its identities as one text. */
  readonly key: string;
  /** Of a concurrency limit: the caller's ID of the lease to grant, renew, release or read. */
  readonly lease_id?: string;
}

/** A bucket and its cost. */
export interface Charge extends Bucket {
  /**
   * Tokens or permits, at most one more than the rule's limit, which is always denied. 0 peeks: the decision is that of one
   * token, and nothing is charged. A cost below 0 is a refund, of at most the bucket's content, and is always admitted; it
   * releases a lease as a whole.
   */
  readonly cost: number;
  /** The name under which statistics count it; the rule's by default. */
  readonly label?: string;
  /** The identities as the caller named them, before those that are secret were hashed. */
  readonly identities?: readonly string[];
}

/**
 * The charges of one request. Sets are charged in order until one denies, and earlier sets stay charged; within a set
 * all are charged or none. A set names no bucket twice, except for
 * several leases of a concurrency limit.
 */
export type Check = readonly (readonly Charge[])[];

export interface Denial extends Bucket {
  /** Microseconds until the same charge is admitted if no other charge is made. */
  readonly retry_after_us: number;
  /** Microseconds until the bucket is completely empty. */
  readonly empty_after_us: number;
}

export interface BucketState extends Bucket {
  /** In the units of the rule, as of now. */
  readonly level: number;
  /** Microseconds until one token is admitted; 0: now. */
  readonly retry_after_us: number;
  readonly empty_after_us: number;
}

/** A lease that holds permits of a concurrency limit. */
export interface Lease {
  readonly id: string;
  readonly permits: number;
  readonly ends_us: number;
}

/** A state, with what a decision on the bucket depends on. */
export interface ReadState extends BucketState {
  /** The store's time. */
  readonly read_at_us: number;
  /** Of a concurrency limit: the leases that hold permits, in the order of their ends. */
  readonly leases?: readonly Lease[];
}

/** The outcome of a check: of several buckets that deny, the one with the longest wait. */
export type Decision = Denial | undefined;

/** A decision, and the states of the check's buckets right after it. */
export interface Outcome {
  readonly denial: Decision;
  /**
   * None unless they were requested; otherwise one for each bucket, or several equal ones. Those on a node of a cluster that
   * does not answer may be missing.
   */
  readonly states: readonly BucketState[];
}

/** A store of levels. Each check is one atomic step. */
export interface Store {
  decide(checks: readonly Check[]): readonly Decision[] | Promise<readonly Decision[]>;
  /** Decides a check, and reads its buckets in the same step. */
  decideAndRead(check: Check): Outcome | Promise<Outcome>;
  read(buckets: readonly Bucket[]): readonly ReadState[] | Promise<readonly ReadState[]>;
  /** Empties buckets. */
  reset(buckets: readonly Bucket[]): void | Promise<void>;
}
