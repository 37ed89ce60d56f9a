import type { Bucket, BucketRule, BucketState, Charge, Check, Denial } from '../../src/leaky-bucket/store.ts';
import { leaseOracle } from './lease-oracle.ts';

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
  /** Releases of the leases that have ended at this time: a store may have removed them. */
  endedAt(now_us: number): Charge[];
}

interface Held {
  readonly bucket: Bucket;
  readonly level: bigint;
  last: bigint;
}

export function storeOracle(): StoreOracle {
  const all = new Map<string, Held>();
  const leases = leaseOracle();

  function levelOf({ rule, key }: Bucket, now: bigint): bigint {
    const held = all.get(nameOf({ rule, key }));
    if (held === undefined) return 0n;
    const from = held.bucket.rule;
    if (rule.kind === 'fixed_window') {
      return now < held.last + BigInt(from.window_us) ? min(held.level, BigInt(rule.limit)) : 0n;
    }
    const tick = BigInt(rule.tick_us);
    const elapsed = now / tick - ceilDivide(held.last, tick);
    return max(0n, sameTokens(held.level, from, rule) - BigInt(rule.limit) * max(0n, elapsed));
  }

  /** The time in which `excess` units drain, or their window ends. */
  function waitOf({ rule, key }: Bucket, excess: bigint, now: bigint): number {
    if (excess <= 0n) return 0;
    if (rule.kind === 'fixed_window')
      return Number(startOf({ rule, key }, now) + BigInt(rule.window_us) - now);
    const tick = BigInt(rule.tick_us);
    return Number((now / tick + ceilDivide(excess, BigInt(rule.limit))) * tick - now);
  }

  /** The start of the window that counts. */
  function startOf({ rule, key }: Bucket, now: bigint): bigint {
    const held = all.get(nameOf({ rule, key }));
    const at = held !== undefined && held.level > 0n ? max(held.last, now) : now;
    return at - (at % BigInt(rule.window_us));
  }

  function denialOf(charge: Charge, now: bigint): Denial | undefined {
    const { rule, key, cost } = charge;
    if (rule.kind === 'concurrency') return leases.denialOf(charge, now);
    if (cost < 0) return undefined;
    const level = levelOf(charge, now);
    const excess = level + BigInt(Math.max(1, cost)) * BigInt(rule.token) - BigInt(rule.capacity);
    if (excess <= 0n) return undefined;
    return {
      rule,
      key,
      retry_after_us: waitOf(charge, excess, now),
      empty_after_us: waitOf(charge, level, now),
    };
  }

  function chargeSet(set: readonly Charge[], now: bigint): Denial | undefined {
    let longest: Denial | undefined;
    for (const charge of set) {
      const held = all.get(nameOf(charge));
      if (held !== undefined && charge.rule.kind === 'leaky_bucket') {
        held.last = min(held.last, tickStart(held.bucket.rule, now));
      }
      const denial = denialOf(charge, now);
      if (denial !== undefined && denial.retry_after_us > (longest?.retry_after_us ?? 0)) longest = denial;
    }
    if (longest !== undefined) return longest;
    for (const charge of set) chargeOne(charge, now);
    return undefined;
  }

  function chargeOne(charge: Charge, now: bigint): void {
    const { rule, key, cost } = charge;
    if (cost === 0) return;
    if (rule.kind === 'concurrency') {
      leases.charge(charge, now);
      return;
    }
    const level = max(0n, levelOf({ rule, key }, now) + BigInt(cost) * BigInt(rule.token));
    const last = rule.kind === 'fixed_window' ? startOf({ rule, key }, now) : tickStart(rule, now);
    all.set(nameOf({ rule, key }), { bucket: { rule, key }, level, last });
  }

  function read(bucket: Bucket, now: bigint): BucketState {
    const { rule, key } = bucket;
    if (rule.kind === 'concurrency') return leases.read(bucket, now);
    const level = levelOf(bucket, now);
    const retry_after_us = denialOf({ rule, key, cost: 1 }, now)?.retry_after_us ?? 0;
    return { rule, key, level: Number(level), retry_after_us, empty_after_us: waitOf(bucket, level, now) };
  }

  return {
    decide: (check, now_us) => {
      for (const set of check) {
        const denial = chargeSet(set, BigInt(now_us));
        if (denial !== undefined) return denial;
      }
      return undefined;
    },
    read: (bucket, now_us) => read(bucket, BigInt(now_us)),
    reset: (bucket) => {
      all.delete(nameOf(bucket));
      leases.reset(bucket);
    },
    ruleOf: (bucket) => all.get(nameOf(bucket))?.bucket.rule,
    emptyAt: (now_us) =>
      [...all.values()]
        .map(({ bucket }) => bucket)
        .filter((bucket) => levelOf(bucket, BigInt(now_us)) === 0n),
    endedAt: (now_us) => leases.endedAt(BigInt(now_us)),
  };
}

/** A level under another rule: rounded up to a unit, of the coarser tick, and at most the rule's capacity. */
function sameTokens(level: bigint, from: BucketRule, to: BucketRule): bigint {
  const tick = BigInt(Math.max(from.tick_us, to.tick_us));
  const units = ceilDivide(level * BigInt(from.tick_us), tick);
  const scaled = ceilDivide(units * BigInt(to.window_us), BigInt(from.window_us));
  return min((scaled * tick) / BigInt(to.tick_us), BigInt(to.capacity));
}

function tickStart({ tick_us }: BucketRule, now: bigint): bigint {
  return now - (now % BigInt(tick_us));
}

function nameOf({ rule, key }: Bucket): string {
  return `${rule.name} ${key}`;
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
