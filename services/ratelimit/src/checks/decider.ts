import type { DenialCache } from '@gatehouse/ratelimit-client/denials/denial-cache';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import type {
  Bucket,
  BucketState,
  Charge,
  Check,
  Denial,
} from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Statistics } from '../statistics.ts';
import type { GuardedStore } from '../stores/guarded-store.ts';
import type { Verdict } from '../stores/verdict.ts';

/**
 * Decides checks: by remembered denials first, then by the store, or by failure policies while the store cannot be
 * reached. With a store in this process decisions come without a promise.
 */
export interface Decider {
  /** Never fails: failure policies decide if the store cannot do so in time. */
  decide(check: Check): Verdict | Promise<Verdict>;
  /** Decides independent checks, in order. */
  decideMany(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]>;
  /** @throws Fault UNAVAILABLE while the store cannot be reached */
  read(buckets: readonly Bucket[]): readonly BucketState[] | Promise<readonly BucketState[]>;
  /**
   * Refunds each charge's cost (above 0).
   *
   * @throws Fault UNAVAILABLE
   */
  giveBack(charges: readonly Charge[]): Promise<void>;
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
  /** Absent with a store in this process, which is as fast. */
  readonly denials: DenialCache | undefined;
  readonly now_us: MicrosecondClock;
  readonly statistics: Statistics;
  /** False: every check passes, and nothing is charged. */
  readonly enforced: boolean;
}

const ADMITTED: Verdict = { denial: undefined, degraded: false };

export function decider(options: DeciderOptions): Decider {
  const { store, denials, now_us, statistics, enforced } = options;

  function recall(check: Check): Verdict | undefined {
    const denial = denials?.recall(check);
    if (denial === undefined) return undefined;
    const verdict = { denial, degraded: false };
    statistics.count(check, verdict, true);
    return verdict;
  }

  function settle(
    checks: readonly Check[],
    verdicts: readonly Verdict[],
    asked_us: number,
  ): readonly Verdict[] {
    return checks.map((check, i) => {
      const verdict = verdicts[i] ?? ADMITTED;
      // Another check may have been denied while this one waited in vain: a known denial needs no policy.
      const known = verdict.degraded ? recall(check) : undefined;
      if (known !== undefined) return known;
      statistics.count(check, verdict, false);
      if (denials !== undefined) forgetRefunded(denials, check);
      // The store might admit at once what policies deny.
      if (verdict.denial !== undefined && !verdict.degraded) denials?.keep(check, verdict.denial, asked_us);
      return verdict;
    });
  }

  function ask(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]> {
    const asked_us = denials === undefined ? 0 : now_us();
    return after(store.decide(checks), (verdicts) => settle(checks, verdicts, asked_us));
  }

  function decideMany(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]> {
    if (!enforced) return checks.map(() => ADMITTED);
    if (denials === undefined) return ask(checks);
    const recalled = checks.map(recall);
    const open = checks.filter((_, i) => recalled[i] === undefined);
    if (open.length === checks.length) return ask(checks);
    if (open.length === 0) return recalled as Verdict[]; // none is undefined
    return after(ask(open), (verdicts) => {
      const rest = verdicts.values();
      return recalled.map((verdict) => verdict ?? rest.next().value ?? ADMITTED);
    });
  }

  return {
    decideMany,
    decide: (check) => {
      if (!enforced) return ADMITTED;
      return recall(check) ?? after(ask([check]), ([verdict]) => verdict ?? ADMITTED);
    },
    read: (buckets) => store.exact.read(buckets),
    giveBack: async (charges) => {
      const refund = charges.map(({ rule, key, cost }) => ({ rule, key, cost: -cost }));
      return changed(store.exact.decide([[refund]]), charges);
    },
    reset: (buckets) => changed(store.exact.reset(buckets), buckets),
    remembered: (check) => denials?.recall(check),
  };

  /** Also if the answer is lost: the change may have happened. */
  async function changed(done: unknown, buckets: readonly Bucket[]): Promise<void> {
    try {
      await done;
    } finally {
      denials?.forget(buckets);
    }
  }
}

function forgetRefunded(denials: DenialCache, check: Check): void {
  for (const set of check) {
    for (const charge of set) if (charge.cost < 0) denials.forget([charge]);
  }
}

/** Continues at once with an answer that is there, without a promise. */
function after<T, U>(answer: T | Promise<T>, go: (answer: T) => U): U | Promise<U> {
  return answer instanceof Promise ? answer.then(go) : go(answer);
}
