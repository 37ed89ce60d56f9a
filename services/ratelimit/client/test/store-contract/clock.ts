import { describe, expect, test } from 'vitest';
import { SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** A clock that steps. */
export function testClock({ at, decide, one, store, waitOf }: StoreHarness): void {
  describe('a clock that goes back', () => {
    test('drains nothing, and continues from its new time', async () => {
      await decide([one(slow, 2)]);
      at(-1000 * SECOND_US);
      expect(await waitOf([one(slow)])).toBe(30 * SECOND_US);
      at(-990 * SECOND_US);
      expect(await waitOf([one(slow)])).toBe(20 * SECOND_US);
      at(-970 * SECOND_US);
      expect(await waitOf([one(slow)])).toBe(0);
      expect(await waitOf([one(slow)])).toBe(30 * SECOND_US);
    });

    test('admits nothing by its steps, however many', async () => {
      let admitted = 0;
      for (let i = 0; i < 40; i++) {
        if ((await waitOf([one(slow)])) === 0) admitted++;
        at(i % 2 === 0 ? -10 * SECOND_US : -10 * SECOND_US + 1);
      }
      expect(admitted).toBe(slow.limit);
    });

    test('never makes a wait longer, read or denied', async () => {
      await decide([one(slow, 2), one(wide, 7)]);
      at(-86_400 * SECOND_US);
      const states = await store().read([one(slow), one(wide)]);
      expect(states.map((state) => state.empty_after_us)).toEqual([slow.window_us, wide.window_us]);
      expect(await decide([one(slow)])).toMatchObject({
        retry_after_us: 30 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      });
    });
  });
}
