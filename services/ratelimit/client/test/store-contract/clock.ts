import { describe, expect, test } from 'vitest';
import { SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** A clock that steps. */
export function testClock({ at, decide, chargeOf, store, waitOf }: StoreHarness): void {
  describe('a clock that goes back', () => {
    test('drains nothing, and continues from its new time', async () => {
      await decide([chargeOf(slow, 2)]);
      at(-1000 * SECOND_US);
      expect(await waitOf([chargeOf(slow)])).toBe(30 * SECOND_US);
      at(-990 * SECOND_US);
      expect(await waitOf([chargeOf(slow)])).toBe(20 * SECOND_US);
      at(-970 * SECOND_US);
      expect(await waitOf([chargeOf(slow)])).toBe(0);
      expect(await waitOf([chargeOf(slow)])).toBe(30 * SECOND_US);
    });

    test('admits nothing by its steps, however many', async () => {
      let admitted = 0;
      for (let i = 0; i < 40; i++) {
        if ((await waitOf([chargeOf(slow)])) === 0) admitted++;
        at(i % 2 === 0 ? -10 * SECOND_US : -10 * SECOND_US + 1);
      }
      expect(admitted).toBe(slow.limit);
    });

    test('never makes a wait longer, read or denied', async () => {
      await decide([chargeOf(slow, 2), chargeOf(wide, 7)]);
      at(-86_400 * SECOND_US);
      const states = await store().read([chargeOf(slow), chargeOf(wide)]);
      expect(states.map((state) => state.empty_after_us)).toEqual([slow.window_us, wide.window_us]);
      expect(await decide([chargeOf(slow)])).toMatchObject({
        retry_after_us: 30 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      });
    });
  });
}
