import { BUCKETS } from '@gatehouse/proto/buckets';
import { describe, expect, test } from 'vitest';
import type { BucketRule, Check } from '../../src/leaky-bucket/store.ts';
import { ruleOf, type StoreHarness } from './harness.ts';

/** Burst and drain under each limit and window of the bucket reference. */
export function testBursts({ advance, chargeOf, store, waitOf }: StoreHarness): void {
  describe.each(referenceRules())('$name', (rule) => {
    test('admits exactly the limit at once, and reports the exact wait to the next', async () => {
      const burst: Check[] = Array.from({ length: rule.limit + 1 }, () => [[chargeOf(rule)]]);
      const decisions = await store().decide(burst);
      expect(decisions.slice(0, rule.limit)).toEqual(Array(rule.limit).fill(undefined));
      expect(decisions[rule.limit]).toEqual({
        rule,
        key: chargeOf(rule).key,
        retry_after_us: Math.ceil(rule.window_us / rule.limit),
        empty_after_us: rule.window_us,
      });
    });

    test('then admits one more exactly when its wait is over, and after a window the limit again', async () => {
      expect(await waitOf([chargeOf(rule, rule.limit)])).toBe(0);
      for (let i = 0; i < Math.min(rule.limit, 20); i++) {
        const wait_us = await waitOf([chargeOf(rule)]);
        advance(wait_us - 1);
        expect(await waitOf([chargeOf(rule)])).toBe(1);
        advance(1);
        expect(await waitOf([chargeOf(rule)])).toBe(0);
      }
      advance(rule.window_us);
      expect(await waitOf([chargeOf(rule, rule.limit)])).toBe(0);
      expect(await waitOf([chargeOf(rule)])).toBe(Math.ceil(rule.window_us / rule.limit));
    });
  });
}

/** One rule for each distinct limit and window. */
function referenceRules(): BucketRule[] {
  const pairs = Object.values(BUCKETS).map(({ limit, window_seconds }) => {
    return [`${limit} / ${window_seconds} s`, { limit, window_seconds }] as const;
  });
  return [...new Map(pairs)].map(([name, { limit, window_seconds }], i) =>
    ruleOf(name, 10 + i, limit, window_seconds),
  );
}
