import type { Bucket, BucketState, Charge, Denial } from '../../src/leaky-bucket/store.ts';

/** The part of the oracle for concurrency limits. A set names a bucket once. */
export interface LeaseOracle {
  denialOf(charge: Charge, now: bigint): Denial | undefined;
  charge(charge: Charge, now: bigint): void;
  read(bucket: Bucket, now: bigint): BucketState;
  reset(bucket: Bucket): void;
  /** Releases of the leases that have ended. */
  endedAt(now: bigint): Charge[];
}

interface Held {
  readonly bucket: Bucket;
  readonly id: string;
  readonly permits: number;
  ends: bigint;
}

export function leaseOracle(): LeaseOracle {
  let all: Held[] = [];

  function holdersOf({ rule, key }: Bucket, now: bigint): Held[] {
    const latest = now + BigInt(rule.window_us);
    return all
      .filter(({ bucket, ends }) => bucket.rule.name === rule.name && bucket.key === key && ends > now)
      .map((held) => ({ ...held, ends: held.ends > latest ? latest : held.ends }));
  }

  /** The first moment at which what others hold leaves room, among those at which a lease ends. */
  function waitOf({ rule, key, lease_id, cost }: Charge, now: bigint): bigint {
    const holders = holdersOf({ rule, key }, now);
    const wanted = Math.max(1, cost);
    const own = holders.find(({ id }) => id === lease_id);
    if (cost < 0 || wanted <= (own?.permits ?? 0)) return 0n;
    const others = holders.filter((held) => held !== own);
    const fitsAt = (at: bigint) =>
      others.filter(({ ends }) => ends > at).reduce((sum, { permits }) => sum + permits, 0) + wanted <=
      rule.limit;
    const moments = [now, ...others.map(({ ends }) => ends)].filter(fitsAt);
    const waits = moments.map((moment) => Number(moment - now));
    return BigInt(Math.min(rule.window_us, ...waits));
  }

  function lastEnd(bucket: Bucket, now: bigint): number {
    return Math.max(0, ...holdersOf(bucket, now).map(({ ends }) => Number(ends - now)));
  }

  return {
    denialOf: (charge, now) => {
      const { rule, key } = charge;
      for (const held of all) {
        if (held.bucket.rule.name !== rule.name || held.bucket.key !== key) continue;
        const latest = now + BigInt(rule.window_us); // the clock may have gone back
        if (held.ends > latest) held.ends = latest;
      }
      const wait = waitOf(charge, now);
      if (wait === 0n) return undefined;
      return { rule, key, retry_after_us: Number(wait), empty_after_us: lastEnd(charge, now) };
    },

    charge: ({ rule, key, lease_id = '', cost }, now) => {
      if (cost === 0) return;
      all = all.filter(
        ({ bucket, id }) => bucket.rule.name !== rule.name || bucket.key !== key || id !== lease_id,
      );
      const ends = now + BigInt(rule.window_us);
      if (cost > 0) all.push({ bucket: { rule, key }, id: lease_id, permits: cost, ends });
    },

    read: (bucket, now) => {
      const { rule, key } = bucket;
      return {
        rule,
        key,
        level: holdersOf(bucket, now).reduce((sum, { permits }) => sum + permits, 0),
        retry_after_us: Number(waitOf({ rule, key, cost: 1 }, now)),
        empty_after_us: lastEnd(bucket, now),
      };
    },

    reset: ({ rule, key }) => {
      all = all.filter(({ bucket }) => bucket.rule.name !== rule.name || bucket.key !== key);
    },

    endedAt: (now) =>
      all.filter(({ ends }) => ends <= now).map(({ bucket, id }) => ({ ...bucket, lease_id: id, cost: -1 })),
  };
}
