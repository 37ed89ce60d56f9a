import type { Logger } from '@gatehouse/kit/log';
import { FailurePolicy } from '@gatehouse/proto/ratelimit';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { memoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { Charge, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { sweeper } from '@gatehouse/ratelimit-client/leaky-bucket/sweeper';
import type { EdgeRules } from './edge-rules.ts';
import type { LocalCharge } from './local-charges.ts';

const MAX_BUCKETS = 65_536;
/** What a bucket denies with that is closed while ratelimit is away. */
const CLOSED_US = 1_000_000;

/** Decides as ratelimit would, by what has been decided here alone. */
export interface LocalDecisions {
  decide(sets: readonly (readonly LocalCharge[])[]): Denial | undefined;
  setRules(rules: EdgeRules): void;
  close(): void;
}

/**
 * Decisions while ratelimit does not answer, by each bucket's failure policy: `local` counts in this
 * process against its share of the limit, `open` admits, `closed` denies for a second. Sets are charged
 * in order, each as a whole, as ratelimit does.
 */
export function localDecisions(rules: EdgeRules, now_us: MicrosecondClock, log: Logger): LocalDecisions {
  const store = memoryStore({ rules: rules.shares, max_buckets: MAX_BUCKETS, now_us });
  const sweeping = sweeper(store, now_us, log);

  function decide(sets: readonly (readonly LocalCharge[])[]): Denial | undefined {
    const closedAt = sets.findIndex((set) => set.some(isClosed));
    if (closedAt < 0) return ask(sets.map(charges));
    return ask(sets.slice(0, closedAt).map(charges)) ?? deny(sets[closedAt] ?? []);
  }

  /** A set with a closed bucket: nothing in it is charged, and the longest wait is reported. */
  function deny(set: readonly LocalCharge[]): Denial | undefined {
    const asked = ask([charges(set).map((charge) => ({ ...charge, cost: 0 }))]);
    if (asked !== undefined && asked.retry_after_us > CLOSED_US) return asked;
    const closed = set.find(isClosed);
    return closed && { ...closed, retry_after_us: CLOSED_US, empty_after_us: CLOSED_US };
  }

  function ask(sets: readonly (readonly Charge[])[]): Denial | undefined {
    return store.decide([sets])[0];
  }

  return {
    decide,
    setRules: (changed) => store.setRules(changed.shares),
    close: () => sweeping.close(),
  };
}

function isClosed({ rule }: LocalCharge): boolean {
  return rule.policy === FailurePolicy.FAILURE_POLICY_CLOSED;
}

/** What of a set is counted here. */
function charges(set: readonly LocalCharge[]): Charge[] {
  return set
    .filter(
      ({ rule }) =>
        rule.policy !== FailurePolicy.FAILURE_POLICY_OPEN &&
        rule.policy !== FailurePolicy.FAILURE_POLICY_CLOSED,
    )
    .map(({ rule: { share }, key, cost }) => ({ rule: share, key, cost: Math.min(cost, share.limit) }));
}
