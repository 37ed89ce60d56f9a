import type {
  BucketState,
  ChargeSet,
  Denial,
  ListBucketsResponse,
  Charge as NamedCharge,
  PeekSlowmodeRequest,
  ProfileDenial,
  TakeProfileChangesRequest,
  TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import type { Counts } from './counts.ts';
import type { MicrosecondClock } from './leaky-bucket/clock.ts';
import type { Acquired } from './leases/leases.ts';
import type { Logger } from './logger.ts';

/**
 * The limits of the API, counted by ratelimit. Waits are in microseconds.
 *
 * A denial is remembered, and repeated without a call until its wait is over. If
 * ratelimit does not answer within 250 ms, this process decides by the buckets' failure policies
 * (docs/rate-limits.md#failure-policies); after five such failures it makes no calls until a probe succeeds.
 */
export interface RateLimits<Origin> {
  /**
   * Charges sets of buckets in order, each as a whole or not at all, up to the first that denies; undefined if all
   * admit. Returns without a promise if no call is needed.
   *
   * @throws INVALID_ARGUMENT for an unknown bucket, identities that do not match its key, or a cost above its
   * limit; nothing is charged then
   */
  check(sets: readonly ChargeSet[], origin?: Origin): Denial | undefined | Promise<Denial | undefined>;
  /**
   * The denial that `check` would return for a set now, at one token per charge; charges nothing. Undefined also if
   * ratelimit does not answer.
   *
   * @throws INVALID_ARGUMENT, as `check`
   */
  dryRun(set: ChargeSet, origin?: Origin): Promise<Denial | undefined>;
  /**
   * The current states of buckets, one each; costs are ignored.
   *
   * @throws UNAVAILABLE or DEADLINE_EXCEEDED if ratelimit or its store does not answer, and INVALID_ARGUMENT,
   * as `check`
   */
  peek(charges: readonly NamedCharge[], origin?: Origin): Promise<readonly BucketState[]>;
  /**
   * Refunds charges for work that did not happen, and releases leases.
   *
   * @throws as `peek`; the refund may have happened nevertheless
   */
  refund(charges: readonly NamedCharge[], origin?: Origin): Promise<void>;
  /**
   * Acquires permits of a concurrency limit: `cost` of them, 1 by default. The lease is renewed until `release`, and its
   * signal is aborted if it is lost.
   *
   * @throws INVALID_ARGUMENT, as `check`
   */
  acquire(charge: NamedCharge, origin?: Origin): Promise<Acquired>;
  /** Counts a message before it is sent. Returns the wait, or undefined if it may be sent now. */
  takeSlowmode(message: TakeSlowmodeRequest, origin?: Origin): Promise<number | undefined>;
  /** Returns the answer of `takeSlowmode`, and counts nothing. */
  peekSlowmode(message: PeekSlowmodeRequest, origin?: Origin): Promise<number | undefined>;
  /**
   * Counts changes of profile fields: all or none. Returns undefined if they may be applied, otherwise the field with the
   * longest wait.
   */
  takeProfileChanges(changes: TakeProfileChangesRequest, origin?: Origin): Promise<ProfileDenial | undefined>;
  readonly counts: Readonly<Counts>;
  /** The number of remembered denials. */
  remembered(): number;
  /** Whether the circuit breaker is open: this process makes no calls, and decides by itself. */
  isBreakerOpen(): boolean;
  close(): void;
}

export interface RateLimitsOptions {
  readonly log?: Logger;
  /** Processes like this one: while ratelimit is down, each admits an equal share of a limit. 1 by default. */
  readonly replicas?: number;
  /** False: checks that this process decides pass. True by default. */
  readonly enforced?: boolean;
  /**
   * Whether this process may call ListBuckets. While ratelimit is down, the limits that it served last apply, or this
   * package's without ListBuckets. True by default.
   */
  readonly lists_buckets?: boolean;
  /** A response of ListBuckets, if the caller has one. */
  readonly served?: ListBucketsResponse;
  /** Maximum buckets in this process while ratelimit is down, about 140 bytes each. 65,536 by default. */
  readonly max_buckets?: number;
  readonly now_us?: MicrosecondClock;
  /** Maximum time of a call; 250 ms by default. Tests wait longer on a busy machine. */
  readonly timeout_ms?: number;
}
