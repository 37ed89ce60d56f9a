import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/leaky-bucket/store.ts';
import { fast, SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** All of a set or nothing, and sets in order. */
export function testSets({ decide, one, store, waitOf }: StoreHarness): void {
  describe('a set', () => {
    test('that is denied leaves each of its buckets unchanged', async () => {
      await decide([one(slow, 2)]);
      expect(await decide([one(fast), one(slow), one(wide)])).toMatchObject({
        rule: slow,
        key: one(slow).key,
      });
      expect(await waitOf([one(fast, 3), one(wide, 7)])).toBe(0);
    });

    test('reports the longest of several waits, in any order', async () => {
      await decide([one(fast, 3), one(slow, 2), one(wide, 6)]);
      const longest = {
        rule: slow,
        key: one(slow).key,
        retry_after_us: 30 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      };
      expect(await decide([one(fast), one(slow), one(wide)])).toEqual(longest);
      expect(await decide([one(wide), one(slow), one(fast)])).toEqual(longest);
    });

    test('reports the first of several equal waits', async () => {
      await decide([one(slow, 2, 'a'), one(slow, 2, 'b')]);
      expect((await decide([one(slow, 1, 'b'), one(slow, 1, 'a')]))?.key).toBe(one(slow, 1, 'b').key);
    });

    test('that denies keeps earlier sets charged, and later sets are not charged', async () => {
      await decide([one(slow, 2)]);
      expect((await decide([one(fast, 3)], [one(slow)], [one(wide, 7)]))?.rule).toEqual(slow);
      expect((await decide([one(fast)]))?.rule).toEqual(fast);
      expect(await waitOf([one(wide, 7)])).toBe(0);
    });

    test('sees the charges of earlier sets of its check, and of earlier checks of the call', async () => {
      expect((await decide([one(fast, 2)], [one(fast, 2)]))?.rule).toEqual(fast);
      const check: Check = [[one(slow)]];
      const decisions = await store().decide([check, check, check, [[one(wide)]]]);
      expect(decisions.map((decision) => decision?.rule.name)).toEqual([
        undefined,
        undefined,
        'slow',
        undefined,
      ]);
    });

    test('without charges, and a check without sets, are admitted', async () => {
      expect(await store().decide([])).toEqual([]);
      expect(await store().decide([[], [[]], [[], [one(fast)]]])).toEqual([undefined, undefined, undefined]);
    });
  });
}
