import type { MicrosecondClock } from './clock.ts';
import { drainTicks } from './leaky-bucket.ts';
import type { LimitKind, Rate } from './rate.ts';
import type { Bucket, BucketRule, Charge, Check, Denial } from './store.ts';

export interface RememberedDenialsOptions {
  /** Maximum denials held, at least 2. Over it, the older half is dropped. */
  readonly max_entries: number;
  readonly now_us: MicrosecondClock;
}

interface Entry {
  readonly kind: LimitKind;
  readonly limit: number;
  readonly window_us: number;
  readonly cost: number;
  readonly since_us: number;
  /** When it stops denying. */
  readonly until_us: number;
  /** When the reported waits end. */
  readonly retry_at_us: number;
  readonly empty_at_us: number;
}

/** By rule and key. For most rules, which have no denials, the lookup ends at the rule's index. */
interface Generation {
  readonly rules: (Map<string, Entry> | undefined)[];
  size: number;
}

/**
 * Denials that still hold. Only time lets a leaky bucket or a fixed window admit what it has denied, whatever other callers
 * do. A refund or a reset ends a denial earlier, so callers that make one must `forget` the bucket. A denial holds only under
 * its own kind, limit and window. Denials of concurrency limits are not remembered, since any release ends them.
 */
export class RememberedDenials {
  readonly #now_us: MicrosecondClock;
  /** Two generations instead of a list: the oldest entries are dropped without a search. */
  readonly #half: number;
  #young = newGeneration();
  #old = newGeneration();

  constructor({ max_entries, now_us }: RememberedDenialsOptions) {
    this.#now_us = now_us;
    this.#half = Math.floor(max_entries / 2);
  }

  size(): number {
    return this.#young.size + this.#old.size;
  }

  /**
   * The denial of the check's first set that has charges, with the remaining waits; of several, the one with the longest
   * wait. Never a denial of a later set, since the sets before it must still be charged. A higher cost than the denied one
   * also waits for the difference, at most a tick longer than necessary.
   */
  denialFor(check: Check): Denial | undefined {
    if (this.#young.size + this.#old.size === 0) return undefined;
    let longest: Denial | undefined;
    for (const set of check) {
      for (const charge of set) {
        const denial = this.#denialOf(charge);
        if (denial !== undefined && denial.retry_after_us > (longest?.retry_after_us ?? 0)) longest = denial;
      }
      if (set.length > 0) break;
    }
    return longest;
  }

  /**
   * Remembers the denial of a charge of `cost`; 0 (a peek) counts as one token. A denial by another process was made at most
   * `age_us` ago. It denies as if it were that old, so that it never denies a charge that the bucket would admit, and reports
   * waits as if it were new, so that a caller that waits is admitted.
   */
  remember({ rule, key, retry_after_us, empty_after_us }: Denial, cost: number, age_us = 0): void {
    if (retry_after_us <= age_us || rule.kind === 'concurrency') return;
    const since_us = this.#now_us();
    const deniedCost = Math.max(1, cost);
    const known = this.#find(rule, key);
    // The denial of a lower cost also denies higher ones.
    if (known !== undefined && this.#holds(known, rule, key, since_us) && known.cost < deniedCost) return;
    this.forget({ rule, key });
    const { kind, limit, window_us } = rule;
    const retry_at_us = since_us + retry_after_us;
    const until_us = retry_at_us - age_us;
    const empty_at_us = since_us + empty_after_us;
    this.#add(
      { rule, key },
      { kind, limit, window_us, cost: deniedCost, since_us, until_us, retry_at_us, empty_at_us },
    );
  }

  forget({ rule, key }: Bucket): void {
    if (this.#young.rules[rule.index]?.delete(key)) this.#young.size--;
    if (this.#old.rules[rule.index]?.delete(key)) this.#old.size--;
  }

  clear(): void {
    this.#young = newGeneration();
    this.#old = newGeneration();
  }

  #denialOf({ rule, key, cost }: Charge): Denial | undefined {
    const entry = this.#find(rule, key);
    if (entry === undefined || cost < 0) return undefined; // before the clock is read, since this is the usual case
    const at_us = this.#now_us();
    const wantedCost = Math.max(1, cost);
    if (!this.#holds(entry, rule, key, at_us) || wantedCost < entry.cost) return undefined;
    const more_us = drainTime(rule, wantedCost - entry.cost);
    const retry_after_us = entry.retry_at_us - at_us + more_us;
    // Not below 0: even an empty bucket denies a cost above the limit.
    return { rule, key, retry_after_us, empty_after_us: Math.max(0, entry.empty_at_us - at_us) };
  }

  #find({ index }: BucketRule, key: string): Entry | undefined {
    return this.#young.rules[index]?.get(key) ?? this.#old.rules[index]?.get(key);
  }

  /** Whether an entry holds under this rule. Drops it if its time is over. */
  #holds(entry: Entry, rule: BucketRule, key: string, at_us: number): boolean {
    // With a clock that went back, its wait would grow.
    if (at_us >= entry.until_us || at_us < entry.since_us) {
      this.forget({ rule, key });
      return false;
    }
    return entry.kind === rule.kind && entry.limit === rule.limit && entry.window_us === rule.window_us;
  }

  #add({ rule, key }: Bucket, entry: Entry): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = newGeneration();
    }
    let entries = this.#young.rules[rule.index];
    if (entries === undefined) {
      entries = new Map();
      this.#young.rules[rule.index] = entries;
    }
    entries.set(key, entry);
    this.#young.size++;
  }
}

/** The microseconds in which these tokens drain. A fixed window frees all of its tokens when it ends. */
function drainTime(rate: Rate, tokens: number): number {
  return rate.kind === 'leaky_bucket' ? drainTicks(rate, tokens * rate.token) * rate.tick_us : 0;
}

function newGeneration(): Generation {
  return { rules: [], size: 0 };
}
