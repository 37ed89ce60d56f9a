import type { DenialCache } from '@gatehouse/ratelimit-client/denials/denial-cache';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import type {
  Bucket,
  BucketState,
  Charge,
  Check,
  Denial,
  ReadState,
} from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { mapResult } from '../map-result.ts';
import type { Statistics } from '../statistics.ts';
import type { GuardedStore } from '../stores/guarded-store.ts';
import { ADMITTED, NOT_MADE, type Verdict } from '../stores/verdict.ts';

/**
 * Decides checks by remembered denials, then by the store, or by failure policies while the store does not answer. With a
 * store in this process it returns decisions without a promise.
 */
export interface Decider {
  /** Never fails: failure policies decide if the store cannot do so in time. */
  decide(check: Check): Verdict | Promise<Verdict>;
  /** Like `decide`, and the store reads the check's buckets in the same step. */
  decideAndRead(check: Check): Verdict | Promise<Verdict>;
  /** Decides independent checks, in order. */
  decideMany(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]>;
  /** @throws Fault UNAVAILABLE while the store does not answer */
  read(buckets: readonly Bucket[]): readonly ReadState[] | Promise<readonly ReadState[]>;
  /**
   * Refunds each charge's cost (above 0). Returns the states of the buckets right after it.
   *
   * @throws Fault UNAVAILABLE
   */
  refund(charges: readonly Charge[]): Promise<readonly BucketState[]>;
  /**
   * Empties buckets.
   *
   * @throws Fault UNAVAILABLE
   */
  reset(buckets: readonly Bucket[]): Promise<void>;
  /** The remembered denial that would answer this check now, if there is one. */
  remembered(check: Check): Denial | undefined;
}

export interface DeciderOptions {
  readonly store: GuardedStore;
  /** Undefined with a store in this process, which is as fast. */
  readonly denials: DenialCache | undefined;
  readonly now_us: MicrosecondClock;
  readonly statistics: Statistics;
  /** False: every check passes, and nothing is charged. */
  readonly enforced: boolean;
}

export function decider(options: DeciderOptions): Decider {
  const { store, denials, now_us, statistics, enforced } = options;

  function recall(check: Check): Verdict | undefined {
    const denial = denials?.recall(check);
    if (denial === undefined) return check.length === 0 ? ADMITTED : undefined; // empty: all of it is exempt
    const verdict = { denial, states: [], degraded: false };
    statistics.count(check, verdict, true);
    return verdict;
  }

  function recorded(check: Check, verdict: Verdict, sent_us: number): Verdict {
    if (verdict === NOT_MADE) return verdict;
    // A denial that was received while this check waited takes precedence over the failure policies.
    const known = verdict.degraded ? recall(check) : undefined;
    if (known !== undefined) return known;
    statistics.count(check, verdict, false);
    if (denials !== undefined) forgetRefunded(denials, check);
    // A denial by a failure policy is not remembered: the store may admit a moment later.
    if (verdict.denial !== undefined && !verdict.degraded) denials?.remember(check, verdict.denial, sent_us);
    return verdict;
  }

  function decideBy(method: 'decide' | 'decideAndRead', check: Check): Verdict | Promise<Verdict> {
    if (!enforced) return ADMITTED;
    const known = recall(check);
    if (known !== undefined) return known;
    const sent_us = denials === undefined ? 0 : now_us();
    return mapResult(store[method](check), (verdict) => recorded(check, verdict, sent_us));
  }

  function decideInStore(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]> {
    const sent_us = denials === undefined ? 0 : now_us();
    return mapResult(store.decideMany(checks), (decided) =>
      checks.map((check, i) => recorded(check, decided[i] ?? ADMITTED, sent_us)),
    );
  }

  function decideMany(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]> {
    if (!enforced) return checks.map(() => ADMITTED);
    if (denials === undefined) return decideInStore(checks);
    const recalled = checks.map(recall);
    const undecided = checks.filter((_, i) => recalled[i] === undefined);
    if (undecided.length === checks.length) return decideInStore(checks);
    if (undecided.length === 0) return recalled as Verdict[]; // none is undefined
    return mapResult(decideInStore(undecided), (verdicts) => {
      const rest = verdicts.values();
      return recalled.map((verdict) => verdict ?? rest.next().value ?? ADMITTED);
    });
  }

  /** Forgets the buckets' denials after a change, and also if its answer is lost: the change may have happened. */
  async function forgetAfter<T>(change: T | Promise<T>, buckets: readonly Bucket[]): Promise<T> {
    try {
      return await change;
    } finally {
      denials?.forget(buckets);
    }
  }

  return {
    decide: (check) => decideBy('decide', check),
    decideAndRead: (check) => decideBy('decideAndRead', check),
    decideMany,
    read: (buckets) => store.exact.read(buckets),
    refund: async (charges) => {
      const refunds = charges.map((charge) => ({ ...charge, cost: -charge.cost }));
      return (await forgetAfter(store.exact.decideAndRead([refunds]), charges)).states;
    },
    reset: (buckets) => forgetAfter(store.exact.reset(buckets), buckets),
    remembered: (check) => denials?.recall(check),
  };
}

function forgetRefunded(denials: DenialCache, check: Check): void {
  for (const set of check) {
    for (const charge of set) if (charge.cost < 0) denials.forget([charge]);
  }
}
