import { describe, expect, test } from 'vitest';
import { permits, ruleOf, SECOND_US, type StoreHarness } from './harness.ts';

/** Concurrency limits. */
export function testConcurrency({
  advance,
  at,
  chargeOf,
  decide,
  leaseOf,
  store,
  waitOf,
}: StoreHarness): void {
  describe('a concurrency limit', () => {
    test('grants at most its permits at a time, until a lease is released', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) expect(await waitOf([leaseOf(permits, id)])).toBe(0);
      expect(await decide([leaseOf(permits, 'f')])).toEqual({
        rule: permits,
        key: chargeOf(permits).key,
        retry_after_us: 60 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      });
      expect(await waitOf([leaseOf(permits, 'c', -1)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'f')])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'g')])).toBeGreaterThan(0);
    });

    test('waits until enough leases have ended, and no longer', async () => {
      await decide([leaseOf(permits, 'a', 2)]);
      advance(10 * SECOND_US);
      await decide([leaseOf(permits, 'b', 1)]);
      advance(10 * SECOND_US);
      await decide([leaseOf(permits, 'c', 2)]);
      expect(await decide([leaseOf(permits, 'd', 2)])).toMatchObject({
        retry_after_us: 40 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      });
      expect(await waitOf([leaseOf(permits, 'd', 3)])).toBe(50 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'd', 4)])).toBe(60 * SECOND_US);
      at(60 * SECOND_US - 1);
      expect(await waitOf([leaseOf(permits, 'd', 2)])).toBe(1);
      at(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'd', 2)])).toBe(0);
    });

    test('renews a live lease: it ends later, and holds the new cost', async () => {
      await decide([leaseOf(permits, 'a', 3)]);
      await decide([leaseOf(permits, 'b', 2)]);
      advance(50 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'a', 3)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a', 4)])).toBe(10 * SECOND_US);
      advance(10 * SECOND_US); // `b` has ended
      expect(await waitOf([leaseOf(permits, 'c', 3)])).toBe(50 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'a', 1)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'c', 4)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a', 2)])).toBe(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'a', 1)])).toBe(0);
    });

    test('releases nothing that has ended, and no lease with another ID', async () => {
      await decide([leaseOf(permits, 'a', 5)]);
      advance(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'b', 5)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a', -5)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a')])).toBe(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'b', -1), leaseOf(permits, 'a', -1)])).toBe(0);
      expect(await store().read([chargeOf(permits)])).toMatchObject([{ level: 0, empty_after_us: 0 }]);
    });

    test('counts several leases in one set together', async () => {
      const two = [leaseOf(permits, 'a', 3), leaseOf(permits, 'b', 3)];
      expect(await waitOf(two)).toBeGreaterThan(0);
      expect(await store().read([chargeOf(permits)])).toMatchObject([{ level: 0 }]);
      expect(await waitOf([leaseOf(permits, 'a', 3), leaseOf(permits, 'b', 2)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a', -1), leaseOf(permits, 'c', 3)])).toBe(0);
      expect(await store().read([chargeOf(permits)])).toMatchObject([{ level: 5 }]);
    });

    test('peeks without a lease, and reads what is held', async () => {
      await decide([leaseOf(permits, 'a', 4)]);
      advance(15 * SECOND_US);
      expect(await waitOf([chargeOf(permits, 0)])).toBe(0);
      expect(await store().read([chargeOf(permits)])).toMatchObject([
        { level: 4, retry_after_us: 0, empty_after_us: 45 * SECOND_US },
      ]);
      await decide([leaseOf(permits, 'b')]);
      expect(await waitOf([chargeOf(permits, 0)])).toBe(45 * SECOND_US);
      expect(await store().read([chargeOf(permits)])).toMatchObject([
        { level: 5, retry_after_us: 45 * SECOND_US, empty_after_us: 60 * SECOND_US },
      ]);
      await store().reset([chargeOf(permits)]);
      expect(await waitOf([leaseOf(permits, 'c', 5)])).toBe(0);
    });

    test('denies a cost above the limit, empty or not', async () => {
      expect(await waitOf([leaseOf(permits, 'a', 6)])).toBe(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'a', 5)])).toBe(0);
      expect(await waitOf([leaseOf(permits, 'a', 6)])).toBe(60 * SECOND_US);
    });

    test('never lets a lease end later than a window after a clock that went back', async () => {
      at(600 * SECOND_US);
      await decide([leaseOf(permits, 'a', 3)]);
      await decide([leaseOf(permits, 'b', 2)]);
      at(0);
      expect(await store().read([chargeOf(permits)])).toMatchObject([
        { level: 5, retry_after_us: 60 * SECOND_US, empty_after_us: 60 * SECOND_US },
      ]);
      expect(await waitOf([leaseOf(permits, 'c')])).toBe(60 * SECOND_US);
      at(60 * SECOND_US);
      expect(await waitOf([leaseOf(permits, 'c', 5)])).toBe(0);
    });

    test('keeps leases under a lowered limit, and renews them without more permits', async () => {
      const lower = ruleOf('permits', 6, 2, 60, 'concurrency');
      await decide([leaseOf(permits, 'a', 2)]);
      await decide([leaseOf(permits, 'b', 2)]);
      expect(await waitOf([leaseOf(lower, 'c')])).toBe(60 * SECOND_US);
      expect(await waitOf([leaseOf(lower, 'a', 2)])).toBe(0);
      await decide([leaseOf(lower, 'b', -1)]);
      expect(await waitOf([leaseOf(lower, 'c')])).toBe(60 * SECOND_US);
      await decide([leaseOf(lower, 'a', 1)]);
      expect(await waitOf([leaseOf(lower, 'c')])).toBe(0);
    });

    test('holds a thousand leases', async () => {
      const many = ruleOf('many', 22, 1000, 60, 'concurrency');
      const ids = Array.from({ length: 1000 }, (_, i) => `lease ${i}`);
      const granted = await store().decide(ids.map((id) => [[leaseOf(many, id)]]));
      expect(granted).toEqual(ids.map(() => undefined));
      expect(await waitOf([leaseOf(many, 'one more')])).toBe(60 * SECOND_US);
      expect(await waitOf([leaseOf(many, 'lease 500')])).toBe(0);
      expect(await waitOf([leaseOf(many, 'lease 501', -1)])).toBe(0);
      expect(await waitOf([leaseOf(many, 'one more')])).toBe(0);
    });
  });
}
