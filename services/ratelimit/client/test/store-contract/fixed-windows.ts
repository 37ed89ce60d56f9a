import { describe, expect, test } from 'vitest';
import { fixed, permits, ruleOf, SECOND_US, type StoreHarness, slow } from './harness.ts';

/** Fixed windows. The tests begin at the start of a window. */
export function testFixedWindows({
  advance,
  at,
  chargeOf,
  decide,
  leaseOf,
  store,
  waitOf,
}: StoreHarness): void {
  describe('a fixed window', () => {
    test('admits its limit in each window, and waits for the rest of it', async () => {
      for (let window = 0; window < 3; window++) {
        at(window * fixed.window_us + 4 * SECOND_US);
        expect(await waitOf([chargeOf(fixed, 2)])).toBe(0);
        expect(await waitOf([chargeOf(fixed)])).toBe(0);
        expect(await decide([chargeOf(fixed)])).toEqual({
          rule: fixed,
          key: chargeOf(fixed).key,
          retry_after_us: 6 * SECOND_US,
          empty_after_us: 6 * SECOND_US,
        });
        at((window + 1) * fixed.window_us - 1);
        expect(await waitOf([chargeOf(fixed)])).toBe(1);
      }
    });

    test('counts from its boundary, and not from its first charge', async () => {
      at(9 * SECOND_US);
      expect(await waitOf([chargeOf(fixed, 3)])).toBe(0);
      at(10 * SECOND_US);
      expect(await waitOf([chargeOf(fixed, 3)])).toBe(0);
      expect(await waitOf([chargeOf(fixed)])).toBe(10 * SECOND_US);
    });

    test('denies a cost that does not fit, and charges none of it', async () => {
      await decide([chargeOf(fixed, 2)]);
      expect(await waitOf([chargeOf(fixed, 2)])).toBe(10 * SECOND_US);
      expect(await waitOf([chargeOf(fixed, 4)])).toBe(10 * SECOND_US);
      expect(await waitOf([chargeOf(fixed, 1)])).toBe(0);
      expect(await waitOf([chargeOf(fixed, 0)])).toBe(10 * SECOND_US);
    });

    test('of a year is exact, with millions of tokens', async () => {
      const yearly = ruleOf('yearly', 20, 4_000_000_000, 31_536_000, 'fixed_window');
      expect(await waitOf([chargeOf(yearly, 3_999_999_999)])).toBe(0);
      expect(await waitOf([chargeOf(yearly, 2)])).toBeGreaterThan(0);
      expect(await waitOf([chargeOf(yearly)])).toBe(0);
      expect(await waitOf([chargeOf(yearly)])).toBeLessThanOrEqual(yearly.window_us);
    });

    test('gets tokens back by a refund, at most those of the current window', async () => {
      await decide([chargeOf(fixed, 3)]);
      expect(await waitOf([chargeOf(fixed, -2)])).toBe(0);
      expect(await waitOf([chargeOf(fixed, 2)])).toBe(0);
      advance(fixed.window_us);
      expect(await waitOf([chargeOf(fixed, -3)])).toBe(0);
      expect(await waitOf([chargeOf(fixed, 3)])).toBe(0);
      expect(await waitOf([chargeOf(fixed)])).toBeGreaterThan(0);
    });

    test('counts on in its own window after the clock went back, and never admits its limit twice', async () => {
      at(15 * SECOND_US);
      await decide([chargeOf(fixed, 2)]);
      let admitted = 2;
      for (let i = 0; i < 20; i++) {
        at(i % 2 === 0 ? 5 * SECOND_US : 16 * SECOND_US);
        if ((await waitOf([chargeOf(fixed)])) === 0) admitted++;
      }
      expect(admitted).toBe(fixed.limit);
      at(5 * SECOND_US);
      expect(await waitOf([chargeOf(fixed)])).toBe(15 * SECOND_US);
      at(20 * SECOND_US);
      expect(await waitOf([chargeOf(fixed, 3)])).toBe(0);
    });

    test('is read with its remaining time, and emptied by a reset', async () => {
      at(4 * SECOND_US);
      await decide([chargeOf(fixed, 2)]);
      expect(await store().read([chargeOf(fixed), chargeOf(fixed, 1, 'b')])).toMatchObject([
        { level: 2, retry_after_us: 0, empty_after_us: 6 * SECOND_US },
        { level: 0, retry_after_us: 0, empty_after_us: 0 },
      ]);
      await decide([chargeOf(fixed)]);
      expect(await store().read([chargeOf(fixed)])).toMatchObject([
        { level: 3, retry_after_us: 6 * SECOND_US },
      ]);
      await store().reset([chargeOf(fixed)]);
      expect(await waitOf([chargeOf(fixed, 3)])).toBe(0);
    });

    test('keeps its count under another limit or length, until its own window ends', async () => {
      await decide([chargeOf(fixed, 3)]);
      expect(await waitOf([chargeOf(ruleOf('fixed', 5, 4, 10, 'fixed_window'), 2)])).toBe(10 * SECOND_US);
      expect(await waitOf([chargeOf(ruleOf('fixed', 5, 4, 10, 'fixed_window'), 1)])).toBe(0);
      expect(await waitOf([chargeOf(ruleOf('fixed', 5, 4, 4, 'fixed_window'))])).toBe(4 * SECOND_US);
      at(10 * SECOND_US);
      expect(await waitOf([chargeOf(ruleOf('fixed', 5, 4, 4, 'fixed_window'), 4)])).toBe(0);
    });
  });

  describe('a rule that changed its kind', () => {
    test('finds an empty bucket', async () => {
      const leaky = ruleOf('changing', 21, 2, 60);
      const window = ruleOf('changing', 21, 2, 60, 'fixed_window');
      const leases = ruleOf('changing', 21, 2, 60, 'concurrency');
      expect(await waitOf([chargeOf(leaky, 2)])).toBe(0);
      expect(await waitOf([chargeOf(window, 2)])).toBe(0);
      expect(await waitOf([leaseOf(leases, 'x', 2)])).toBe(0);
      expect(await waitOf([leaseOf(leases, 'y')])).toBe(60 * SECOND_US);
    });
  });

  describe('a set of several kinds', () => {
    test('is charged as a whole or not at all, whichever denies', async () => {
      const all = (lease: string, cost = 1) => [
        chargeOf(slow, cost),
        chargeOf(fixed, cost),
        leaseOf(permits, lease, cost),
      ];
      expect(await waitOf(all('a'))).toBe(0);
      expect(await waitOf(all('b'))).toBe(0);
      expect((await decide(all('c')))?.rule.name).toBe('slow');
      expect(await store().read(all('x'))).toMatchObject([{}, { level: 2 }, { level: 2 }]);
      await decide([chargeOf(slow, -2), chargeOf(fixed)]);
      expect((await decide(all('c')))?.rule.name).toBe('fixed');
      expect(await store().read(all('x'))).toMatchObject([{ level: 0 }, { level: 3 }, { level: 2 }]);
      await decide([chargeOf(fixed, -3), leaseOf(permits, 'd', 3)]);
      expect((await decide(all('c')))?.rule.name).toBe('permits');
      expect(await store().read(all('x'))).toMatchObject([{ level: 0 }, { level: 0 }, { level: 5 }]);
      await decide([leaseOf(permits, 'a', -1)]);
      expect(await waitOf(all('c'))).toBe(0);
    });
  });
}
