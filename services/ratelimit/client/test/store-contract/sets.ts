import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/leaky-bucket/store.ts';
import { fast, SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** All of a set or nothing, and sets in order. */
export function testSets({ decide, chargeOf, store, waitOf }: StoreHarness): void {
  describe('a set', () => {
    test('that is denied leaves each of its buckets unchanged', async () => {
      await decide([chargeOf(slow, 2)]);
      expect(await decide([chargeOf(fast), chargeOf(slow), chargeOf(wide)])).toMatchObject({
        rule: slow,
        key: chargeOf(slow).key,
      });
      expect(await waitOf([chargeOf(fast, 3), chargeOf(wide, 7)])).toBe(0);
    });

    test('reports the longest of several waits, in any order', async () => {
      await decide([chargeOf(fast, 3), chargeOf(slow, 2), chargeOf(wide, 6)]);
      const longest = {
        rule: slow,
        key: chargeOf(slow).key,
        retry_after_us: 30 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      };
      expect(await decide([chargeOf(fast), chargeOf(slow), chargeOf(wide)])).toEqual(longest);
      expect(await decide([chargeOf(wide), chargeOf(slow), chargeOf(fast)])).toEqual(longest);
    });

    test('reports the first of several equal waits', async () => {
      await decide([chargeOf(slow, 2, 'a'), chargeOf(slow, 2, 'b')]);
      expect((await decide([chargeOf(slow, 1, 'b'), chargeOf(slow, 1, 'a')]))?.key).toBe(
        chargeOf(slow, 1, 'b').key,
      );
    });

    test('that denies keeps earlier sets charged, and later sets are not charged', async () => {
      await decide([chargeOf(slow, 2)]);
      expect((await decide([chargeOf(fast, 3)], [chargeOf(slow)], [chargeOf(wide, 7)]))?.rule).toEqual(slow);
      expect((await decide([chargeOf(fast)]))?.rule).toEqual(fast);
      expect(await waitOf([chargeOf(wide, 7)])).toBe(0);
    });

    test('sees the charges of earlier sets of its check, and of earlier checks of the call', async () => {
      expect((await decide([chargeOf(fast, 2)], [chargeOf(fast, 2)]))?.rule).toEqual(fast);
      const check: Check = [[chargeOf(slow)]];
      const decisions = await store().decide([check, check, check, [[chargeOf(wide)]]]);
      expect(decisions.map((decision) => decision?.rule.name)).toEqual([
        undefined,
        undefined,
        'slow',
        undefined,
      ]);
    });

    test('without charges, and a check without sets, are admitted', async () => {
      expect(await store().decide([])).toEqual([]);
      expect(await store().decide([[], [[]], [[], [chargeOf(fast)]]])).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });
  });
}
