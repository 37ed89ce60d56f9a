import { describe, expect, test } from 'vitest';
import { fast, SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** Reading buckets, and emptying them. */
export function testState({ advance, decide, chargeOf, store, waitOf }: StoreHarness): void {
  describe('read', () => {
    test('returns current levels and waits, in the order of the buckets, and charges nothing', async () => {
      await decide([chargeOf(slow, 2, 'a'), chargeOf(wide, 1, 'b')]);
      advance(15 * SECOND_US);
      const level_us = 15 * SECOND_US;
      for (let i = 0; i < 3; i++) {
        expect(
          await store().read([chargeOf(slow, 1, 'a'), chargeOf(slow, 1, 'b'), chargeOf(wide, 1, 'b')]),
        ).toEqual([
          {
            rule: slow,
            key: chargeOf(slow, 1, 'a').key,
            level: 2 * slow.window_us - 2 * level_us,
            retry_after_us: 15 * SECOND_US,
            empty_after_us: 45 * SECOND_US,
          },
          { rule: slow, key: chargeOf(slow, 1, 'b').key, level: 0, retry_after_us: 0, empty_after_us: 0 },
          {
            rule: wide,
            key: chargeOf(wide, 1, 'b').key,
            level: wide.window_us - 7 * level_us,
            retry_after_us: 0,
            empty_after_us: Math.ceil(wide.window_us / 7) - level_us,
          },
        ]);
      }
      expect(await store().read([])).toEqual([]);
    });
  });

  describe('reset', () => {
    test('empties the buckets it names and no others', async () => {
      await decide([chargeOf(slow, 2, 'a'), chargeOf(slow, 2, 'b'), chargeOf(fast, 3)]);
      await store().reset([chargeOf(slow, 1, 'a'), chargeOf(fast), chargeOf(wide)]);
      expect(await waitOf([chargeOf(slow, 2, 'a'), chargeOf(fast, 3), chargeOf(wide, 7)])).toBe(0);
      expect(await waitOf([chargeOf(slow, 1, 'b')])).toBe(30 * SECOND_US);
      await store().reset([]);
    });
  });
}
