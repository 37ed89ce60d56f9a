import { describe, expect, test } from 'vitest';
import { ruleOf, SECOND_US, type StoreHarness, wide } from './harness.ts';

/** A changed rule, or one made for each call, finds its buckets' levels. */
export function testChangedRules({ advance, decide, levelOf, chargeOf, store, waitOf }: StoreHarness): void {
  describe('a rule that changed', () => {
    test('finds the same tokens under its new window', async () => {
      await decide([chargeOf(wide, 4)]);
      const longer = ruleOf('wide', 2, 7, 21_600);
      const shorter = ruleOf('wide', 2, 7, 60);
      expect(await levelOf(longer)).toBe(4);
      expect(await levelOf(shorter)).toBe(4);
      expect(await waitOf([chargeOf(longer, 2)])).toBe(0);
      expect(await waitOf([chargeOf(shorter, 2)])).toBe(Math.ceil(shorter.window_us / 7));
      expect(await waitOf([chargeOf(shorter, 1)])).toBe(0);
      expect(await waitOf([chargeOf(wide, 1)])).toBe(Math.ceil(wide.window_us / 7));
    });

    test('finds no more than its new limit', async () => {
      await decide([chargeOf(wide, 7)]);
      const lower = ruleOf('wide', 2, 3, 10_800);
      expect(await levelOf(lower)).toBe(3);
      expect(await waitOf([chargeOf(lower)])).toBe(lower.window_us / 3);
      advance(lower.window_us / 3);
      expect(await waitOf([chargeOf(lower)])).toBe(0);
    });

    test('has room at once after the limit was raised', async () => {
      await decide([chargeOf(wide, 7)]);
      const higher = ruleOf('wide', 2, 9, 10_800);
      expect(await waitOf([chargeOf(higher, 3)])).toBe(1200 * SECOND_US);
      expect(await waitOf([chargeOf(higher, 2)])).toBe(0);
    });

    test('finds every unit of a level, without the rounding of floating numbers', async () => {
      const ten = ruleOf('odd', 4, 3, 10);
      const sixty = ruleOf('odd', 4, 3, 60);
      const left = 154; // 154 / 10,000,000 × 60,000,000 is 924.0000000000001 to a computer
      await decide([chargeOf(ten, 2)]);
      advance((ten.window_us - left) / ten.limit);
      await decide([chargeOf(ten, -1)]);
      expect(await store().read([chargeOf(ten), chargeOf(sixty)])).toMatchObject([
        { level: left },
        { level: 6 * left },
      ]);
    });

    test('counts a part of a unit as one: no change of the window ever makes room', async () => {
      const seven = ruleOf('odd', 4, 3, 7);
      const three = ruleOf('odd', 4, 3, 3);
      await decide([chargeOf(seven, 2)]);
      advance(1);
      await decide([chargeOf(seven, 1)]);
      // 20,999,997 units of 7 s are 8,999,998 5/7 units of 3 s.
      expect(await store().read([chargeOf(three)])).toMatchObject([{ level: 8_999_999 }]);
    });
  });
}
