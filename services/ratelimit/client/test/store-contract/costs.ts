import { describe, expect, test } from 'vitest';
import { fast, huge, SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** Costs of a charge: several tokens, none, or fewer than none. */
export function testCosts({ advance, decide, chargeOf, waitOf }: StoreHarness): void {
  describe('costs', () => {
    test('are admitted as a whole or not at all, and wait exactly until the whole fits', async () => {
      expect(await waitOf([chargeOf(wide, 5)])).toBe(0);
      expect(await waitOf([chargeOf(wide, 3)])).toBe(Math.ceil(wide.window_us / 7));
      expect(await waitOf([chargeOf(wide, 2)])).toBe(0);
      advance(4 * Math.ceil(wide.window_us / 7) - 1);
      expect(await waitOf([chargeOf(wide, 4)])).toBe(1);
      advance(1);
      expect(await waitOf([chargeOf(wide, 4)])).toBe(0);
    });

    test('as large as exact integers allow are exact', async () => {
      expect(await waitOf([chargeOf(huge, 99_999)])).toBe(0);
      expect(await waitOf([chargeOf(huge, 1)])).toBe(0);
      expect(await waitOf([chargeOf(huge, 100_000)])).toBe(huge.window_us);
      advance(20_000 - 1);
      expect(await waitOf([chargeOf(huge)])).toBe(1);
      advance(1);
      expect(await waitOf([chargeOf(huge)])).toBe(0);
    });

    test('of 0 ask whether one token would be admitted, and charge nothing', async () => {
      for (let i = 0; i < 10; i++) expect(await waitOf([chargeOf(slow, 0)])).toBe(0);
      expect(await waitOf([chargeOf(slow, 2)])).toBe(0);
      advance(SECOND_US);
      expect(await decide([chargeOf(slow, 0)])).toEqual({
        rule: slow,
        key: chargeOf(slow).key,
        retry_after_us: 29 * SECOND_US,
        empty_after_us: 59 * SECOND_US,
      });
      expect((await decide([chargeOf(fast), chargeOf(slow, 0)]))?.rule).toEqual(slow);
      expect(await waitOf([chargeOf(fast, 3)])).toBe(0);
    });

    test('below 0 refund, never more than the bucket holds, and are always admitted', async () => {
      await decide([chargeOf(wide, 7)]);
      expect(await waitOf([chargeOf(wide, -2)])).toBe(0);
      expect(await waitOf([chargeOf(wide, 3)])).toBeGreaterThan(0);
      expect(await waitOf([chargeOf(wide, 2)])).toBe(0);
      expect(await waitOf([chargeOf(wide, -7), chargeOf(fast, -3)])).toBe(0);
      expect(await waitOf([chargeOf(wide, -7), chargeOf(fast, -3)])).toBe(0);
      expect(await waitOf([chargeOf(wide, 7), chargeOf(fast, 3)])).toBe(0);
      expect(await waitOf([chargeOf(wide)])).toBeGreaterThan(0);
      expect(await waitOf([chargeOf(fast)])).toBeGreaterThan(0);
    });

    test('refund nothing in a denied set', async () => {
      await decide([chargeOf(slow, 2), chargeOf(wide, 7)]);
      expect((await decide([chargeOf(slow), chargeOf(wide, -7)]))?.rule).toEqual(slow);
      expect(await waitOf([chargeOf(wide)])).toBe(Math.ceil(wide.window_us / 7));
    });
  });
}
