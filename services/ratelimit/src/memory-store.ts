import { randomInt } from 'node:crypto';
import type { Charge, Denial, Store } from './check.ts';
import { expiryWheel } from './expiry-wheel.ts';
import { drained, emptyAfter, filled, retryAfter } from './leaky-bucket.ts';
import type { Rule } from './reference.ts';
import { slotTable } from './slot-table.ts';

/** Shared buckets of one rule, for callers who find the store full. */
const SHARED = 256;
/** Each charge clears up to so many empty buckets, so that they leave at least as fast as others come. */
const SWEEP_PER_CHARGE = 4;

export interface MemoryStoreOptions {
  readonly rules: readonly Rule[];
  /** Most buckets held at a time. */
  readonly max_buckets: number;
  readonly now_us: number;
}

export interface MemoryStore extends Store {
  /** Buckets held: those that are not empty, and those that were until a moment ago. */
  size(): number;
  /** Charges so far that went to a shared bucket because the store was full. */
  sharedCharges(): number;
  /** Lets go of buckets that have become empty, at most `budget`; whether there are more. */
  sweep(now_us: number, budget: number): boolean;
}

/**
 * Leaky buckets in this process's memory. A bucket is a slot of two typed arrays; an empty bucket is
 * worth as much as none, and leaves.
 *
 * When all slots hold live buckets, a newcomer is charged to one of 256 shared buckets of its rule,
 * chosen by its identity, until there is room. So nobody is ever admitted beyond a limit, nobody's
 * bucket is taken away, and a flood of new identities can cost only other newcomers. Who moves from a
 * shared bucket to one of their own starts at its level.
 */
export function memoryStore({ rules, max_buckets, now_us: startedAt_us }: MemoryStoreOptions): MemoryStore {
  // Behind the slots that come and go lie the shared ones: [max_buckets + rule × SHARED + hash].
  const levels = new Float64Array(max_buckets + rules.length * SHARED);
  const lasts = new Float64Array(levels.length);
  const table = slotTable(rules.length, max_buckets);
  const wheel = expiryWheel(max_buckets, startedAt_us);
  const seed = randomInt(2 ** 32);
  const found: number[] = [];
  const hashes: number[] = [];
  let sharedCharges = 0;

  function charge(set: readonly Charge[], now_us: number): Denial | undefined {
    sweep(now_us, SWEEP_PER_CHARGE); // before slots are looked up: it frees some
    let denial: Denial | undefined;
    for (const [i, { rule, key, cost }] of set.entries()) {
      const hash = hashOf(key, seed);
      const slot = table.find(rule.index, key, hash) ?? shared(rule, hash);
      hashes[i] = hash;
      found[i] = slot;
      denial = longer(denial, deny(slot, rule, cost, now_us));
    }
    if (denial !== undefined) return denial;
    for (const [i, one] of set.entries()) commit(found[i] ?? 0, hashes[i] ?? 0, one, now_us);
    return undefined;
  }

  function deny(slot: number, rule: Rule, cost: number, now_us: number): Denial | undefined {
    const level = levels[slot] ?? 0;
    const last_us = lasts[slot] ?? 0;
    const retry_after_us = retryAfter(rule, level, last_us, now_us, cost);
    if (retry_after_us === 0) return undefined;
    return { rule, retry_after_us, empty_after_us: emptyAfter(rule, level, last_us, now_us) };
  }

  function commit(slot: number, hash: number, { rule, key, cost }: Charge, now_us: number): void {
    const last_us = lasts[slot] ?? 0;
    const level = filled(rule, drained(rule, levels[slot] ?? 0, last_us, now_us), cost);
    const at_us = Math.max(now_us, last_us);
    let target = slot;
    if (slot >= max_buckets) {
      const own = table.insert(rule.index, key, hash);
      if (own === undefined) sharedCharges++;
      else {
        target = own;
        wheel.schedule(own, at_us + emptyAfter(rule, level, at_us, at_us));
      }
    }
    levels[target] = level;
    lasts[target] = at_us;
  }

  function sweep(now_us: number, budget: number): boolean {
    return wheel.advance(now_us, budget, leaveIfEmpty);
  }

  /** When a bucket that was charged since will be empty; undefined when it is and has left. */
  function leaveIfEmpty(slot: number, now_us: number): number | undefined {
    const rule = rules[table.ruleOf(slot)];
    if (rule !== undefined) {
      const wait_us = emptyAfter(rule, levels[slot] ?? 0, lasts[slot] ?? 0, now_us);
      if (wait_us > 0) return now_us + wait_us;
    }
    table.remove(slot);
    return undefined;
  }

  function shared(rule: Rule, hash: number): number {
    return max_buckets + rule.index * SHARED + (hash % SHARED);
  }

  return { charge, sweep, size: table.size, sharedCharges: () => sharedCharges };
}

function longer(a: Denial | undefined, b: Denial | undefined): Denial | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.retry_after_us > a.retry_after_us ? b : a;
}

/** FNV-1a over the end of the key, where identities differ most. Only spreads: the maps compare whole keys. */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let i = Math.max(0, key.length - 16); i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
