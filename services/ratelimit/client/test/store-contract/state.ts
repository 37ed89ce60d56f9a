import { describe, expect, test } from 'vitest';
import { fast, SECOND_US, type StoreHarness, slow, wide } from './harness.ts';

/** Reading buckets, alone or with a decision, and emptying them. */
export function testState({ advance, decide, chargeOf, store, waitOf }: StoreHarness): void {
  describe('read', () => {
    test('returns current levels and waits, in the order of the buckets, and charges nothing', async () => {
      await decide([chargeOf(slow, 2, 'a'), chargeOf(wide, 1, 'b')]);
      advance(15 * SECOND_US);
      const level_us = 15 * SECOND_US;
      for (let i = 0; i < 3; i++) {
        expect(
          await store().read([chargeOf(slow, 1, 'a'), chargeOf(slow, 1, 'b'), chargeOf(wide, 1, 'b')]),
        ).toMatchObject([
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

  describe('decideAndRead', () => {
    test('returns the levels right after an admitted check, also of peeks and refunds', async () => {
      await decide([chargeOf(wide, 3)]);
      const { denial, states } = await store().decideAndRead([
        [chargeOf(slow)],
        [chargeOf(fast, 0), chargeOf(wide, -1), chargeOf(slow)],
      ]);
      expect(denial).toBeUndefined();
      const levels = new Map(states.map(({ rule, level }) => [rule.name, level / rule.window_us]));
      expect(levels).toEqual(
        new Map([
          ['slow', 2],
          ['fast', 0],
          ['wide', 2],
        ]),
      );
      expect(states.find(({ rule }) => rule.name === 'slow')).toEqual({
        rule: slow,
        key: chargeOf(slow).key,
        level: 2 * slow.window_us,
        retry_after_us: 30 * SECOND_US,
        empty_after_us: 60 * SECOND_US,
      });
    });

    test('returns the levels right after a denied check: of the sets before the denial, of its set, and of the rest', async () => {
      await decide([chargeOf(slow, 2), chargeOf(wide, 3)]);
      advance(SECOND_US);
      const check = [[chargeOf(fast, 2)], [chargeOf(slow), chargeOf(wide)], [chargeOf(fast, 1, 'b')]];
      const { denial, states } = await store().decideAndRead(check);
      expect(denial?.rule.name).toBe('slow');
      const levels = states.map(({ rule, key, level }) => [rule.name, key, level]);
      expect(levels).toHaveLength(4);
      expect(levels).toEqual(
        expect.arrayContaining([
          ['fast', chargeOf(fast).key, 2 * fast.window_us],
          ['slow', chargeOf(slow).key, 2 * (slow.window_us - SECOND_US)],
          ['wide', chargeOf(wide).key, 3 * wide.window_us - 7 * SECOND_US],
          ['fast', chargeOf(fast, 1, 'b').key, 0],
        ]),
      );
    });

    test('returns the levels of the decision’s own moment, beside other checks of the same bucket', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 9 }, (_, i) =>
          i % 2 === 0
            ? store().decideAndRead([[chargeOf(wide)]])
            : Promise.resolve(store().decide([[[chargeOf(wide)]]])).then(() => undefined),
        ),
      );
      const levels = outcomes.flatMap(
        (outcome) => outcome?.states.map(({ level }) => level / wide.window_us) ?? [],
      );
      expect(levels).toEqual([1, 3, 5, 7, 7]);
      expect(outcomes.at(-1)?.denial?.rule.name).toBe('wide');
      expect(await store().decideAndRead([])).toEqual({ denial: undefined, states: [] });
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
