import type { Bucket, BucketRule, BucketState, Charge, Check, Denial } from '../../src/leaky-bucket/store.ts';

/**
 * The answers that every store must give, from the definition (../../src/leaky-bucket/store.ts), in integers of any
 * size.
 */
export interface StoreOracle {
  decide(check: Check, now_us: number): Denial | undefined;
  read(bucket: Bucket, now_us: number): BucketState;
  reset(bucket: Bucket): void;
  /** The rule of the bucket's last charge, if it is not empty. */
  ruleOf(bucket: Bucket): BucketRule | undefined;
  /** The buckets that are empty at this time under the rule of their last charge: a store may have removed them. */
  emptyAt(now_us: number): Bucket[];
}

interface Held {
  readonly bucket: Bucket;
  readonly level: bigint;
  last: bigint;
}

export function storeOracle(): StoreOracle {
  const all = new Map<string, Held>();

  function levelOf({ rule, key }: Bucket, now: bigint): bigint {
    const held = all.get(nameOf({ rule, key }));
    if (held === undefined) return 0n;
    const from = BigInt(held.bucket.rule.window_us);
    const same = min(ceilDivide(held.level * BigInt(rule.window_us), from), BigInt(rule.capacity));
    return max(0n, same - BigInt(rule.limit) * max(0n, now - held.last));
  }

  function denialOf({ rule, key, cost }: Charge, now: bigint): Denial | undefined {
    if (cost < 0) return undefined;
    const level = levelOf({ rule, key }, now);
    const excess = level + BigInt(Math.max(1, cost)) * BigInt(rule.window_us) - BigInt(rule.capacity);
    if (excess <= 0n) return undefined;
    return { rule, key, retry_after_us: wait(excess, rule), empty_after_us: wait(level, rule) };
  }

  function chargeSet(set: readonly Charge[], now: bigint): Denial | undefined {
    let longest: Denial | undefined;
    for (const charge of set) {
      const held = all.get(nameOf(charge));
      if (held !== undefined) held.last = min(held.last, now);
      const denial = denialOf(charge, now);
      if (denial !== undefined && denial.retry_after_us > (longest?.retry_after_us ?? 0)) longest = denial;
    }
    if (longest !== undefined) return longest;
    for (const { rule, key, cost } of set) {
      if (cost === 0) continue;
      const level = levelOf({ rule, key }, now) + BigInt(cost) * BigInt(rule.window_us);
      all.set(nameOf({ rule, key }), { bucket: { rule, key }, level: max(0n, level), last: now });
    }
    return undefined;
  }

  return {
    decide: (check, now_us) => {
      for (const set of check) {
        const denial = chargeSet(set, BigInt(now_us));
        if (denial !== undefined) return denial;
      }
      return undefined;
    },

    read: ({ rule, key }, now_us) => {
      const level = levelOf({ rule, key }, BigInt(now_us));
      const retry_after_us = denialOf({ rule, key, cost: 1 }, BigInt(now_us))?.retry_after_us ?? 0;
      return {
        rule,
        key,
        level: Number(level),
        retry_after_us,
        empty_after_us: wait(level, rule),
      };
    },

    reset: (bucket) => all.delete(nameOf(bucket)),
    ruleOf: (bucket) => all.get(nameOf(bucket))?.bucket.rule,
    emptyAt: (now_us) =>
      [...all.values()]
        .map(({ bucket }) => bucket)
        .filter((bucket) => levelOf(bucket, BigInt(now_us)) === 0n),
  };
}

function nameOf({ rule, key }: Bucket): string {
  return `${rule.name} ${key}`;
}

function wait(units: bigint, { limit }: BucketRule): number {
  return Number(ceilDivide(units, BigInt(limit)));
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
