import type { Logger } from '@gatehouse/kit/log';
import type { Call } from '@gatehouse/kit/rpc';
import type {
  BucketState,
  Charge,
  ChargeSet,
  Denial,
  ListBucketsResponse,
  PeekSlowmodeRequest,
  ProfileDenial,
  TakeProfileChangesRequest,
  TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import type { Counts } from './counts.ts';
import type { MicrosecondClock } from './leaky-bucket/clock.ts';

/**
 * The limits of the API, as ratelimit counts them. Waits are in microseconds.
 *
 * Questions of one moment travel together. A denial is remembered, and given again without asking until its
 * wait is over. While ratelimit does not answer within 250 ms, this process decides by the buckets' failure
 * policies (docs/rate-limits.md#failure-policies); after five such failures it is not asked until it answers a
 * probe.
 */
export interface RateLimits {
  /**
   * Charges sets of buckets in order, each as a whole or not at all, up to the first that denies; undefined:
   * all admit. Without a promise where ratelimit need not be asked.
   *
   * @throws Fault INVALID_ARGUMENT for a bucket that does not exist, identities that are not those of its key,
   * or a cost above its limit; nothing is charged then
   */
  check(sets: readonly ChargeSet[], origin?: Origin): Denial | undefined | Promise<Denial | undefined>;
  /**
   * What `check` would deny a set with now, at one token a charge; charges nothing. Undefined too where ratelimit
   * does not answer.
   *
   * @throws Fault INVALID_ARGUMENT, as `check`
   */
  dryRun(set: ChargeSet, origin?: Origin): Promise<Denial | undefined>;
  /**
   * What is in buckets now, one state each; costs are ignored.
   *
   * @throws Fault UNAVAILABLE or DEADLINE_EXCEEDED where ratelimit or its store does not answer, and
   * INVALID_ARGUMENT, as `check`
   */
  peek(charges: readonly Charge[], origin?: Origin): Promise<readonly BucketState[]>;
  /**
   * Gives back what was charged for work that did not happen.
   *
   * @throws Fault as `peek`; it may have been given back all the same
   */
  refund(charges: readonly Charge[], origin?: Origin): Promise<void>;
  /** Counts a message that is about to be sent: the wait until it may be, undefined when it may now. */
  takeSlowmode(message: TakeSlowmodeRequest, origin?: Origin): Promise<number | undefined>;
  /** The same for a message that might be sent; nothing is counted. */
  peekSlowmode(message: PeekSlowmodeRequest, origin?: Origin): Promise<number | undefined>;
  /**
   * Counts changes of profile fields: undefined when all may be applied, else the field with the longest wait,
   * and none is counted.
   */
  takeProfileChanges(changes: TakeProfileChangesRequest, origin?: Origin): Promise<ProfileDenial | undefined>;
  readonly counts: Readonly<Counts>;
  /** Denials that are remembered now. */
  remembered(): number;
  /** Whether ratelimit is given up on for now. */
  isAlone(): boolean;
  close(): void;
}

/** What a question is part of: a request, by its ID; or the call being handled, whose deadline holds too. */
export type Origin = string | Call;

export interface RateLimitsOptions {
  readonly log?: Logger;
  /** Processes like this one: while ratelimit is away each admits its part of a limit. 1 unless given. */
  readonly replicas?: number;
  /** False: what this process decides by itself passes. True unless given. */
  readonly enforced?: boolean;
  /**
   * False where this process may not call ListBuckets. While ratelimit is away it then goes by the limits that
   * this package came with, else by those that ratelimit served last.
   */
  readonly lists_buckets?: boolean;
  /** What ListBuckets has answered, where the caller has asked already. */
  readonly served?: ListBucketsResponse;
  /** Buckets held in this process while ratelimit is away, about 140 bytes each. 65,536 unless given. */
  readonly max_buckets?: number;
  readonly now_us?: MicrosecondClock;
  /** How long an answer may take; 250 ms. Tests of what ratelimit answers wait longer on a busy machine. */
  readonly timeout_ms?: number;
}
