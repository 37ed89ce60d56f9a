import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/leaky-bucket/memory-store.ts';
import { rate } from '../../src/leaky-bucket/rate.ts';
import { RememberedDenials } from '../../src/leaky-bucket/remembered-denials.ts';
import type { BucketRule, Charge, Denial } from '../../src/leaky-bucket/store.ts';

const rules = [ruleOf('slow', 0, 6, 60), ruleOf('fast', 1, 3, 7), ruleOf('wide', 2, 7, 10_800)];
const [slow, fast, wide] = rules as [BucketRule, BucketRule, BucketRule];
const SECOND_US = 1_000_000;

function ruleOf(name: string, index: number, limit: number, window_seconds: number): BucketRule {
  return { name, index, ...rate(limit, window_seconds) };
}

function chargeOf(rule: BucketRule, key = 'a', cost = 1): Charge {
  return { rule, key, cost };
}

function denial(rule: BucketRule, retry_after_us: number, key = 'a'): Denial {
  return { rule, key, retry_after_us, empty_after_us: 60 * SECOND_US };
}

interface Remembering {
  readonly denials: RememberedDenials;
  at(now_us: number): void;
}

function remembering(max_entries = 100): Remembering {
  let now_us = 0;
  return {
    denials: new RememberedDenials({ max_entries, now_us: () => now_us }),
    at: (time_us) => {
      now_us = time_us;
    },
  };
}

test('a denial is repeated with its remaining waits until its wait is over', () => {
  const { denials, at } = remembering();
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
  denials.remember(denial(slow, 10 * SECOND_US), 1);
  at(4 * SECOND_US);
  expect(denials.denialFor([[chargeOf(slow)]])).toEqual({
    rule: slow,
    key: 'a',
    retry_after_us: 6 * SECOND_US,
    empty_after_us: 56 * SECOND_US,
  });
  at(10 * SECOND_US - 1);
  expect(denials.denialFor([[chargeOf(slow)]])?.retry_after_us).toBe(1);
  at(10 * SECOND_US);
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
  expect(denials.size()).toBe(0);
});

test('a denial of uncertain age is held for its shortest possible wait, and reports the longest', () => {
  const { denials, at } = remembering();
  denials.remember(denial(slow, 10 * SECOND_US), 1, 2 * SECOND_US);
  at(8 * SECOND_US - 1);
  expect(denials.denialFor([[chargeOf(slow)]])?.retry_after_us).toBe(2 * SECOND_US + 1);
  at(8 * SECOND_US);
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
  denials.remember(denial(slow, SECOND_US), 1, SECOND_US); // may be over by now
  expect(denials.size()).toBe(0);
});

describe('nothing is remembered of', () => {
  const { denials } = remembering();
  denials.remember(denial(slow, 10 * SECOND_US), 2);

  test.each<[string, Charge]>([
    ['another key', chargeOf(slow, 'b', 2)],
    ['another rule', chargeOf(fast, 'a', 2)],
    ['a lower cost', chargeOf(slow, 'a', 1)],
    ['a peek, which counts as one token, after a denial of more', chargeOf(slow, 'a', 0)],
    ['a refund', chargeOf(slow, 'a', -2)],
    ['the rule with another limit', chargeOf(ruleOf('slow', 0, 7, 60), 'a', 2)],
    ['the rule with another window', chargeOf(ruleOf('slow', 0, 6, 61), 'a', 2)],
  ])('%s', (_, charge) => {
    expect(denials.denialFor([[charge]])).toBeUndefined();
    expect(denials.denialFor([[charge, chargeOf(slow, 'a', 2)]])).toBeDefined();
  });

  test('later sets: the earlier ones must be charged', () => {
    expect(denials.denialFor([[chargeOf(fast)], [chargeOf(slow, 'a', 2)]])).toBeUndefined();
    expect(denials.denialFor([[], [chargeOf(slow, 'a', 2)]])).toBeDefined();
    expect(denials.denialFor([[chargeOf(slow, 'a', 2)], [chargeOf(fast)]])).toBeDefined();
    expect(denials.denialFor([])).toBeUndefined();
  });
});

test('a peek is denied like a charge of one token, and vice versa', () => {
  const { denials } = remembering();
  denials.remember(denial(slow, SECOND_US), 0);
  expect(denials.denialFor([[chargeOf(slow)]])?.retry_after_us).toBe(SECOND_US);
  expect(denials.denialFor([[chargeOf(slow, 'a', 0)]])?.retry_after_us).toBe(SECOND_US);
});

test('of several denials, the longest wait is reported', () => {
  const { denials } = remembering();
  denials.remember(denial(slow, 3 * SECOND_US), 1);
  denials.remember(denial(wide, 9 * SECOND_US), 1);
  denials.remember(denial(fast, 2 * SECOND_US), 1);
  expect(denials.denialFor([[chargeOf(slow), chargeOf(wide), chargeOf(fast)]])?.rule).toBe(wide);
});

test('a denial of a lower cost stays after one of a higher; a newer one of the same cost replaces it', () => {
  const { denials, at } = remembering();
  denials.remember(denial(slow, 3 * SECOND_US), 1);
  denials.remember(denial(slow, 30 * SECOND_US), 4);
  expect(denials.denialFor([[chargeOf(slow)]])?.retry_after_us).toBe(3 * SECOND_US);
  denials.remember(denial(slow, 5 * SECOND_US), 1);
  expect(denials.denialFor([[chargeOf(slow)]])?.retry_after_us).toBe(5 * SECOND_US);
  at(5 * SECOND_US);
  denials.remember(denial(slow, 25 * SECOND_US), 4);
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
  expect(denials.denialFor([[chargeOf(slow, 'a', 4)]])?.retry_after_us).toBe(25 * SECOND_US);
  expect(denials.size()).toBe(1);
});

test('a refund, a reset and clear() end a denial', () => {
  const { denials } = remembering();
  denials.remember(denial(slow, SECOND_US), 1);
  denials.remember(denial(slow, SECOND_US, 'b'), 1);
  denials.remember(denial(fast, SECOND_US), 1);
  denials.forget(chargeOf(slow));
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
  expect(denials.denialFor([[chargeOf(slow, 'b')]])).toBeDefined();
  expect(denials.size()).toBe(2);
  denials.clear();
  expect(denials.denialFor([[chargeOf(slow, 'b'), chargeOf(fast)]])).toBeUndefined();
  expect(denials.size()).toBe(0);
});

test('a clock that went back ends a denial rather than make its wait longer', () => {
  const { denials, at } = remembering();
  at(60 * SECOND_US);
  denials.remember(denial(slow, SECOND_US), 1);
  at(60 * SECOND_US - 1);
  expect(denials.denialFor([[chargeOf(slow)]])).toBeUndefined();
});

test('a flood of denials never exceeds the bound, and the newest half is always held', () => {
  const { denials } = remembering(1000);
  for (let i = 0; i < 10_000; i++) {
    denials.remember(denial(i % 2 === 0 ? slow : fast, SECOND_US, `${i}`), 1);
    expect(denials.size()).toBeLessThanOrEqual(1000);
  }
  for (let i = 9_500; i < 10_000; i++) {
    expect(denials.denialFor([[chargeOf(i % 2 === 0 ? slow : fast, `${i}`)]])).toBeDefined();
  }
  expect(denials.denialFor([[chargeOf(slow, '0')]])).toBeUndefined();
  for (let i = 0; i < 10_000; i++) denials.forget(chargeOf(i % 2 === 0 ? slow : fast, `${i}`));
  expect(denials.size()).toBe(0);
});

const anyCharge = fc
  .record({
    rule: fc.constantFrom(...rules),
    key: fc.constantFrom('a', 'b'),
    cost: fc.integer({ min: 0, max: 7 }),
  })
  .map(({ rule, key, cost }) => chargeOf(rule, key, Math.min(cost, rule.limit)));
const anySet = fc.uniqueArray(anyCharge, {
  minLength: 1,
  maxLength: 3,
  selector: ({ rule, key }) => rule.name + key,
});
const anyStep = fc.oneof(
  fc.integer({ min: 0, max: 3 * SECOND_US }),
  fc.integer({ min: 0, max: 9000 * SECOND_US }),
);

test('after any other charges, the store denies whatever is remembered, and its wait is never longer', async () => {
  await fc.assert(
    fc.property(fc.array(fc.tuple(anyStep, anySet), { maxLength: 80 }), (traffic) => {
      let now_us = 0;
      const store = new MemoryStore({ rules, max_buckets: 1000, now_us: () => now_us });
      const denials = new RememberedDenials({ max_entries: 8, now_us: () => now_us });
      for (const [step_us, set] of traffic) {
        now_us += step_us;
        const known = denials.denialFor([set]);
        const [actual] = store.decide([[set]]);
        if (known !== undefined) {
          expect(actual).toBeDefined();
          // It knows no later charges, and rounds up once more for a higher cost.
          expect(known.retry_after_us).toBeLessThanOrEqual((actual?.retry_after_us ?? 0) + 1);
        }
        const charge = set.find(({ rule, key }) => rule === actual?.rule && key === actual.key);
        if (actual !== undefined && charge !== undefined) denials.remember(actual, charge.cost);
      }
    }),
    { numRuns: 500 },
  );
});
