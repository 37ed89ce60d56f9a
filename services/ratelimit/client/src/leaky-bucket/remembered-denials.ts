import type { MicrosecondClock } from './clock.ts';
import { drainTime } from './leaky-bucket.ts';
import type { Bucket, BucketRule, Charge, Check, Denial } from './store.ts';

export interface RememberedDenialsOptions {
  /** Most denials held at a time, at least 2. When they are too many, the older half goes. */
  readonly max_entries: number;
  readonly now_us: MicrosecondClock;
}

/**
 * Denials that still hold, so that they need not be asked for again: nothing but time lets a leaky
 * bucket admit again what it denied, whatever others do. Only a refund, a reset or another rule ends one
 * earlier: who gives back or resets forgets, and a denial under one limit and window says nothing about
 * another.
 */
export interface RememberedDenials {
  /**
   * A denial that the check's first set with any charge would meet, with the waits that are left now; of
   * several, the longest. Never one of a later set, as the sets before it must still be charged. A cost
   * above the one that was denied waits for the difference too, at most 1 µs longer than it must.
   */
  denialFor(check: Check): Denial | undefined;
  /**
   * The denial that a charge of `cost` (0: a question for one token) met. Where it came from elsewhere, its
   * wait began at some time in the last `age_us`: it is held as if at the first moment, so that nobody is
   * denied who would be admitted, and told as if at the last, so that who waits so long is admitted.
   */
  remember(denial: Denial, cost: number, age_us?: number): void;
  forget(bucket: Bucket): void;
  clear(): void;
  size(): number;
}

interface Entry {
  readonly limit: number;
  readonly window_us: number;
  readonly cost: number;
  readonly since_us: number;
  /** Until when it is held. */
  readonly until_us: number;
  /** What waits are told to last to. */
  readonly told_us: number;
  readonly empty_us: number;
}

/** By rule and key; the rule's index alone finds out that most rules deny nobody. */
interface Generation {
  readonly rules: (Map<string, Entry> | undefined)[];
  size: number;
}

export function rememberedDenials({ max_entries, now_us }: RememberedDenialsOptions): RememberedDenials {
  // Two generations instead of one line of entries: what is oldest leaves without being searched for.
  const half = Math.floor(max_entries / 2);
  let young = generation();
  let old = generation();

  function denialFor(check: Check): Denial | undefined {
    if (young.size + old.size === 0) return undefined;
    let longest: Denial | undefined;
    for (const set of check) {
      for (const charge of set) {
        const denial = denialOf(charge);
        if (denial !== undefined && denial.retry_after_us > (longest?.retry_after_us ?? 0)) longest = denial;
      }
      if (set.length > 0) break;
    }
    return longest;
  }

  function denialOf({ rule, key, cost }: Charge): Denial | undefined {
    const entry = find(rule, key);
    if (entry === undefined || cost < 0) return undefined; // most often, so before the clock is read
    const at_us = now_us();
    const wanted = Math.max(1, cost);
    if (!holds(entry, rule, key, at_us) || wanted < entry.cost) return undefined;
    const more_us = drainTime(rule, (wanted - entry.cost) * rule.window_us);
    const retry_after_us = entry.told_us - at_us + more_us;
    // A cost above the limit is denied by an empty bucket too.
    return { rule, key, retry_after_us, empty_after_us: Math.max(0, entry.empty_us - at_us) };
  }

  function find({ index }: BucketRule, key: string): Entry | undefined {
    return young.rules[index]?.get(key) ?? old.rules[index]?.get(key);
  }

  /** Whether it does still; what holds no more leaves. */
  function holds(entry: Entry, rule: BucketRule, key: string, at_us: number): boolean {
    // A clock that went back would make the wait longer than it was.
    if (at_us >= entry.until_us || at_us < entry.since_us) {
      forget({ rule, key });
      return false;
    }
    return entry.limit === rule.limit && entry.window_us === rule.window_us;
  }

  function remember({ rule, key, retry_after_us, empty_after_us }: Denial, cost: number, age_us = 0): void {
    if (retry_after_us <= age_us) return;
    const since_us = now_us();
    const denied = Math.max(1, cost);
    const known = find(rule, key);
    // A lower cost answers for a higher one too.
    if (known !== undefined && holds(known, rule, key, since_us) && known.cost < denied) return;
    forget({ rule, key });
    const { limit, window_us } = rule;
    const told_us = since_us + retry_after_us;
    const until_us = told_us - age_us;
    const empty_us = since_us + empty_after_us;
    add({ rule, key }, { limit, window_us, cost: denied, since_us, until_us, told_us, empty_us });
  }

  function add({ rule, key }: Bucket, entry: Entry): void {
    if (young.size >= half) {
      old = young;
      young = generation();
    }
    let entries = young.rules[rule.index];
    if (entries === undefined) {
      entries = new Map();
      young.rules[rule.index] = entries;
    }
    entries.set(key, entry);
    young.size++;
  }

  function forget({ rule, key }: Bucket): void {
    if (young.rules[rule.index]?.delete(key)) young.size--;
    if (old.rules[rule.index]?.delete(key)) old.size--;
  }

  function clear(): void {
    young = generation();
    old = generation();
  }

  return { denialFor, remember, forget, clear, size: () => young.size + old.size };
}

function generation(): Generation {
  return { rules: [], size: 0 };
}
