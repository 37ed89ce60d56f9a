import { BUCKETS } from '@gatehouse/proto/buckets';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drained,
  emptyAfter,
  filled,
  rescaled,
  retryAfter,
  tickOf,
} from '../../src/leaky-bucket/leaky-bucket.ts';
import { type Rate, rate } from '../../src/leaky-bucket/rate.ts';

const pairs = new Map(
  Object.values(BUCKETS).map(({ limit, window_seconds }) => [
    `${limit} / ${window_seconds} s`,
    rate(limit, window_seconds),
  ]),
);

describe.each([...pairs])('%s', (_, rule) => {
  test('admits exactly the limit at once, then one more exactly when retry_after has passed, for two windows', () => {
    const bucket = bucketOf(rule, 1_000_000_007);
    for (let i = 0; i < rule.limit; i++) expect(bucket.charge(1)).toBe(0);
    for (let i = 0; i < 2 * rule.limit; i++) {
      const wait_us = bucket.charge(1);
      bucket.advance(wait_us - 1);
      expect(bucket.charge(1)).toBe(1);
      bucket.advance(1);
      expect(bucket.charge(1)).toBe(0);
    }
  });

  test('over any span admits the limit and the drained tokens, exactly', () => {
    const bucket = bucketOf(rule, 0);
    let admitted = 0;
    const step_us = Math.ceil(rule.window_us / rule.limit / 7);
    for (let now_us = 0; now_us <= 3 * rule.window_us; now_us += step_us) {
      while (bucket.charge(1) === 0) admitted++;
      expect(admitted).toBe(
        Number((BigInt(rule.limit) * BigInt(rule.window_us + now_us)) / BigInt(rule.window_us)),
      );
      bucket.advance(step_us);
    }
  });
});

const anyRate = fc
  .oneof(
    fc.record({
      limit: fc.integer({ min: 1, max: 5000 }),
      window_seconds: fc.integer({ min: 1, max: 50_000 }),
    }),
    // With ticks of a millisecond or a second.
    fc.record({
      limit: fc.integer({ min: 1, max: 8_000_000 }),
      window_seconds: fc.constantFrom(60, 86_400, 2_592_000, 31_536_000),
    }),
  )
  .map(({ limit, window_seconds }) => rate(limit, window_seconds));
/** Small and large steps, in the limit's own rhythm and out of it, and now and then back. */
const anyStep = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 200_000_000_000 }),
  fc.integer({ min: -5_000_000, max: -1 }),
);
const anyHistory = fc.array(fc.tuple(anyStep, fc.integer({ min: 1, max: 40 })), { maxLength: 120 });

test('any history of charges, costs and clock steps is decided as by exact integers', async () => {
  await fc.assert(
    fc.property(anyRate, anyHistory, fc.integer({ min: 0, max: 2 ** 50 }), (rate, history, startedAt_us) => {
      const bucket = bucketOf(rate, startedAt_us);
      const oracle = oracleOf(rate, startedAt_us);
      for (const [step_us, wanted] of history) {
        const cost = Math.min(wanted, rate.limit);
        bucket.advance(step_us);
        oracle.advance(step_us);
        expect(bucket.charge(cost)).toBe(Number(oracle.charge(cost)));
        expect(bucket.emptyAfter()).toBe(Number(oracle.emptyAfter()));
      }
    }),
  );
});

test('waiting retry_after admits and one microsecond less does not, wherever the clock has been', async () => {
  await fc.assert(
    fc.property(anyRate, anyHistory, fc.integer({ min: 1, max: 5000 }), (rate, history, wanted) => {
      const bucket = bucketOf(rate, 0);
      for (const [step_us, cost] of history) {
        bucket.advance(step_us);
        bucket.charge(Math.min(cost, rate.limit));
      }
      const cost = Math.min(wanted, rate.limit);
      const wait_us = bucket.charge(cost);
      fc.pre(wait_us > 0);
      bucket.advance(wait_us - 1);
      expect(bucket.charge(cost)).toBe(1);
      bucket.advance(1);
      expect(bucket.charge(cost)).toBe(0);
    }),
  );
});

test('after empty_after the whole limit is admitted at once, and one microsecond before it is not', async () => {
  await fc.assert(
    fc.property(
      anyRate,
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 2 ** 40 }),
      (rate, wanted, at) => {
        const bucket = bucketOf(rate, at);
        bucket.charge(Math.min(wanted, rate.limit));
        bucket.advance(bucket.emptyAfter() - 1);
        expect(bucket.charge(rate.limit)).toBe(1);
        bucket.advance(1);
        expect(bucket.charge(rate.limit)).toBe(0);
      },
    ),
  );
});

test('a clock that steps back admits nothing, and a step forward only the drained tokens', () => {
  const bucket = bucketOf(rate(5, 10), 60_000_000);
  let admitted = 0;
  for (let i = 0; i < 100; i++) {
    while (bucket.charge(1) === 0) admitted++;
    expect(admitted).toBe(5 + 2 * Math.ceil(i / 2)); // in 4 s, 2 of 5 per 10 s
    bucket.advance(i % 2 === 0 ? 4_000_000 : -4_000_000);
  }
});

test('a level is rescaled to another window as in exact integers, and never beyond the capacity', async () => {
  await fc.assert(
    fc.property(anyRate, anyRate, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, part) => {
      const level = Math.floor(part * from.capacity);
      const tick_us = Math.max(from.tick_us, to.tick_us);
      const units = ceilDivide(BigInt(level) * BigInt(from.tick_us), BigInt(tick_us));
      const exact =
        (ceilDivide(units * BigInt(to.window_us), BigInt(from.window_us)) * BigInt(tick_us)) /
        BigInt(to.tick_us);
      expect(rescaled(to, level, from)).toBe(Math.min(Number(exact), to.capacity));
    }),
    { numRuns: 2000 },
  );
});

test('a level is never below 0, and a refund is always admitted', () => {
  const bucket = rate(3, 10);
  expect(filled(bucket, 5, -1)).toBe(0);
  expect(retryAfter(bucket, bucket.capacity, -3, 0)).toBe(0);
  expect(retryAfter(bucket, bucket.capacity, 0, 0)).toBe(retryAfter(bucket, bucket.capacity, 1, 0));
});

test('a rate that exact integers cannot hold is refused', () => {
  for (const [limit, window_seconds] of [
    [0, 1],
    [1, 0],
    [1.5, 1],
    [1, 0.1],
    [2 ** 31, 2 ** 31],
  ] as const) {
    expect(() => rate(limit, window_seconds)).toThrow(RangeError);
  }
});

interface TestBucket<T> {
  advance(step_us: number): void;
  /** 0 and charged, or the wait and not charged. */
  charge(cost: number): T;
  emptyAfter(): T;
}

function bucketOf(rate: Rate, startedAt_us: number): TestBucket<number> {
  let now_us = startedAt_us;
  let level = 0;
  let last_us = 0;
  return {
    advance: (step_us) => {
      now_us += step_us;
    },
    charge: (cost) => {
      last_us = Math.min(last_us, tickOf(rate, now_us));
      const left = drained(rate, level, last_us, now_us);
      const wait_us = retryAfter(rate, left, cost, now_us);
      if (wait_us > 0) return wait_us;
      level = filled(rate, left, cost);
      last_us = tickOf(rate, now_us);
      return 0;
    },
    emptyAfter: () => emptyAfter(rate, drained(rate, level, last_us, now_us), now_us),
  };
}

/**
 * The definition, in integers of any size: the level at the last charge, in token·ticks, less `limit` for each
 * tick since; after a clock that went back, from its new time.
 */
function oracleOf(rate: Rate, startedAt_us: number): TestBucket<bigint> {
  const limit = BigInt(rate.limit);
  const tick = BigInt(rate.tick_us);
  const token = BigInt(rate.window_us) / tick;
  let now_us = BigInt(startedAt_us);
  let now = floorDivide(now_us, tick);
  let last = 0n;
  let level = 0n;
  const left = (): bigint => max(0n, level - limit * max(0n, now - last));
  const wait = (units: bigint): bigint =>
    units <= 0n ? 0n : (now + ceilDivide(units, limit)) * tick - now_us;
  return {
    advance: (step_us) => {
      now_us += BigInt(step_us);
      now = floorDivide(now_us, tick);
    },
    charge: (cost) => {
      if (now < last) last = now;
      const after = left() + token * BigInt(cost);
      if (after > token * limit) return wait(after - token * limit);
      level = after;
      last = now;
      return 0n;
    },
    emptyAfter: () => wait(left()),
  };
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -ceilDivide(-a, b);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
