import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/leaky-bucket/memory-store.ts';
import { rate } from '../../src/leaky-bucket/rate.ts';
import type { BucketRule, Charge, Decision } from '../../src/leaky-bucket/store.ts';

const fast = ruleOf('fast', 0, 3, 1);
const slow = ruleOf('slow', 1, 2, 60);
const wide = ruleOf('wide', 2, 7, 10_800);
const SECOND_US = 1_000_000;
const MINUTE_US = 60_000_000;

/** A store with a clock that tests set. */
class TestStore extends MemoryStore {
  readonly #clock: { now_us: number };

  constructor(max_buckets: number, clock = { now_us: 0 }) {
    super({ rules: [fast, slow, wide], max_buckets, now_us: () => clock.now_us });
    this.#clock = clock;
  }

  charge(set: readonly Charge[]): Decision {
    return this.decide([[set]])[0];
  }

  sweepAll(): void {
    while (this.sweep(1000));
  }

  at(now_us: number): this {
    this.#clock.now_us = now_us;
    return this;
  }
}

function storeOf(max_buckets = 100_000): TestStore {
  return new TestStore(max_buckets);
}

function ruleOf(name: string, index: number, limit: number, window_seconds: number): BucketRule {
  return { name, index, ...rate(limit, window_seconds) };
}

function chargeOf(rule: BucketRule, key: string, cost = 1): Charge {
  return { rule, key, cost };
}

describe('empty buckets', () => {
  test('of a rule with a high index, after many reloads, are removed too', () => {
    const late = ruleOf('late', 70_000, 2, 1);
    const store = storeOf();
    store.charge([chargeOf(late, 'a', 2)]);
    store.at(2 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
    expect(store.charge([chargeOf(late, 'b', 2)])).toBeUndefined();
    expect(store.charge([chargeOf(late, 'a')])).toBeUndefined();
    expect(store.charge([chargeOf(late, 'b')])?.rule).toBe(late);
  });

  test('are not created by denials, peeks or refunds', () => {
    const store = storeOf();
    store.charge([chargeOf(slow, 'a', 2)]);
    expect(store.charge([chargeOf(fast, 'a'), chargeOf(slow, 'a'), chargeOf(wide, 'a')])?.rule).toBe(slow);
    expect(store.charge([chargeOf(fast, 'a', 0), chargeOf(wide, 'a', -1)])).toBeUndefined();
    store.read([chargeOf(fast, 'a'), chargeOf(wide, 'b')]);
    store.reset([chargeOf(fast, 'a')]);
    expect(store.size()).toBe(1);
  });

  test('are removed; one that is charged again stays until it is empty', () => {
    const store = storeOf();
    for (let i = 0; i < 5000; i++) store.at(i).charge([chargeOf(slow, `${i}`)]);
    expect(store.size()).toBe(5000);
    store.at(20 * SECOND_US).charge([chargeOf(slow, '0')]);
    store.at(35 * SECOND_US).sweepAll();
    expect(store.size()).toBe(1);
    expect(store.charge([chargeOf(slow, '0', 2)])?.retry_after_us).toBe(25 * SECOND_US);
    store.at(62 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
  });

  test('leave when a refund or a reset emptied them', () => {
    const store = storeOf();
    store.charge([chargeOf(slow, 'refunded', 2), chargeOf(slow, 'reset', 2), chargeOf(slow, 'kept', 2)]);
    store.charge([chargeOf(slow, 'refunded', -2)]);
    store.reset([chargeOf(slow, 'reset')]);
    store.at(MINUTE_US + SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
    store.charge([chargeOf(slow, 'reset', 2), chargeOf(slow, 'kept')]);
    expect(store.size()).toBe(2);
  });

  test('never cost one sweep more than its budget', () => {
    const store = storeOf();
    for (let i = 0; i < 1000; i++) store.charge([chargeOf(fast, `${i}`)]);
    expect(store.at(MINUTE_US).sweep(10)).toBe(true);
    expect(store.size()).toBe(990);
  });

  test('of a flood of new keys do not pile up, even without sweeps and in large sets', () => {
    const store = storeOf();
    for (let i = 0; i < 300_000; i++) store.at(i * 100).charge([chargeOf(fast, `key ${i}`)]);
    expect(store.size()).toBeLessThan(25_000); // 10,000 keys a second; each bucket lives a third of a second
    for (let i = 0; i < 20_000; i++) {
      const set = Array.from({ length: 16 }, (_, key) => chargeOf(fast, `set ${i} ${key}`));
      store.at(MINUTE_US + i * 1600).charge(set);
    }
    expect(store.size()).toBeLessThan(25_000);
  });

  test('leave within a turn of the wheel after a clock that jumped, either way', () => {
    const store = storeOf();
    store.charge([chargeOf(fast, 'before')]);
    store.at(1_700_000_000 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
    store.at(0).charge([chargeOf(fast, 'after')]);
    store.at(4096 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
  });
});

describe('in a full store', () => {
  test('a bucket leaves for each new one, and a full one leaves last', () => {
    const store = storeOf(1000);
    store.charge([chargeOf(slow, 'guessed', 2)]);
    for (let i = 0; i < 100_000; i++) store.at(i).charge([chargeOf(slow, `${i}`)]);
    expect(store.size()).toBeGreaterThan(990); // some leave together
    expect(store.size()).toBeLessThanOrEqual(1000);
    expect(store.charge([chargeOf(slow, 'guessed')])?.rule).toBe(slow);
  });

  test('an evicted key that comes back is admitted no more than its own bucket would admit', () => {
    const store = storeOf(1);
    store.charge([chargeOf(slow, 'back')]);
    store.at(10 * SECOND_US).charge([chargeOf(slow, 'other')]); // 20 s of a token are left of the first
    expect(store.evicted()).toBe(1);
    expect(store.read([chargeOf(slow, 'back')])[0]?.empty_after_us).toBe(20 * SECOND_US);
    expect(store.charge([chargeOf(slow, 'back', 2)])?.retry_after_us).toBe(20 * SECOND_US);
    expect(store.at(30 * SECOND_US - 1).charge([chargeOf(slow, 'back', 2)])?.retry_after_us).toBe(1);
    expect(store.at(30 * SECOND_US).charge([chargeOf(slow, 'back', 2)])).toBeUndefined();
  });

  test('newcomers of other rules lose nothing', () => {
    const store = storeOf(1000);
    for (let i = 0; i < 10_000; i++) store.charge([chargeOf(wide, `${i}`, 6)]);
    expect(store.charge([chargeOf(wide, 'new', 2)])?.rule).toBe(wide);
    expect(store.charge([chargeOf(slow, 'new', 2)])).toBeUndefined();
    expect(store.charge([chargeOf(fast, 'new', 3)])).toBeUndefined();
  });

  test('a rule with few buckets loses none to one with many', () => {
    const store = storeOf(1000);
    for (let i = 0; i < 300; i++) store.charge([chargeOf(slow, `kept ${i}`, 2)]);
    for (let i = 0; i < 10_000; i++) store.charge([chargeOf(wide, `${i}`)]);
    for (let i = 0; i < 300; i++) expect(store.charge([chargeOf(slow, `kept ${i}`)])?.rule).toBe(slow);
  });

  test('a bucket that one charge of a set evicts still counts for another charge of the set', () => {
    const store = storeOf(1);
    store.charge([chargeOf(slow, 'a')]);
    expect(store.charge([chargeOf(fast, 'b'), chargeOf(slow, 'a')])).toBeUndefined();
    expect(store.size()).toBe(1);
    expect(store.charge([chargeOf(slow, 'a')])?.rule).toBe(slow);
  });

  test('a refund or a reset without a bucket changes nothing', () => {
    const store = storeOf(1);
    for (const key of ['left', 'is in']) store.charge([chargeOf(slow, key)]);
    store.charge([chargeOf(slow, 'left', -2)]);
    store.reset([chargeOf(slow, 'left')]);
    expect(store.charge([chargeOf(slow, 'left', 2)])?.rule).toBe(slow);
  });

  test('a short window of a rule does not wait for evictions under a long one', () => {
    const store = storeOf(1);
    const hour = ruleOf('slowmode', 3, 1, 3600);
    const second = ruleOf('slowmode', 3, 1, 1);
    for (const key of ['a', 'b']) store.charge([chargeOf(hour, key)]);
    expect(store.charge([chargeOf(second, 'c')])).toBeUndefined();
    expect(store.charge([chargeOf(hour, 'd')])?.retry_after_us).toBe(hour.window_us);
  });

  test('a clock that goes back makes no wait longer than it was', () => {
    const store = storeOf(1);
    for (const key of ['a', 'b']) store.at(MINUTE_US).charge([chargeOf(slow, key, key === 'a' ? 2 : 1)]);
    expect(store.at(MINUTE_US).charge([chargeOf(slow, 'c')])).toBeDefined();
    expect(store.at(0).charge([chargeOf(slow, 'c')])?.retry_after_us).toBeLessThanOrEqual(MINUTE_US);
    expect(store.at(MINUTE_US).charge([chargeOf(slow, 'c')])).toBeUndefined();
  });

  test('nobody is admitted beyond a limit, with any keys in any order', () => {
    const charges = fc.record({
      rule: fc.constantFrom(fast, slow, wide),
      key: fc.nat(30).map(String),
      cost: fc.integer({ min: -1, max: 2 }),
    });
    const steps = fc.record({
      set: fc.uniqueArray(charges, {
        minLength: 1,
        maxLength: 4,
        selector: ({ rule, key }) => `${rule.name} ${key}`,
      }),
      wait_us: fc.oneof(fc.constant(0), fc.nat(SECOND_US), fc.nat(MINUTE_US)),
    });
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), (run, slots) => {
        const small = storeOf(slots);
        const exact = storeOf();
        let now_us = 0;
        for (const { set, wait_us } of run) {
          now_us += wait_us;
          if (small.at(now_us).charge(set) === undefined) {
            expect(exact.at(now_us).charge(set)).toBeUndefined();
          }
          expect(small.size()).toBeLessThanOrEqual(slots);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('groups of rules', () => {
  const groups = [0, 1, 1].map((group, index) => ({ ...ruleOf(`rule ${index}`, index, 5, 900), group }));
  const [quiet, loud, mixed] = groups as [BucketRule, BucketRule, BucketRule];
  const grouped = () =>
    new MemoryStore({ rules: groups, max_buckets: 1000, shares: [3, 1], now_us: () => 0 });
  const charge = (store: MemoryStore, charged: Charge) => store.decide([[[charged]]])[0];

  test('take unused slots of others, and keep their share in a flood of another group', () => {
    const store = grouped();
    for (let i = 0; i < 5000; i++) charge(store, chargeOf(loud, `${i}`)); // fills the store
    for (let i = 0; i < 750; i++) charge(store, chargeOf(quiet, `kept ${i}`, 4));
    for (let i = 0; i < 20_000; i++) charge(store, chargeOf(i % 2 === 0 ? loud : mixed, `late ${i}`, 5));
    expect(store.size()).toBeGreaterThan(990);
    for (let i = 0; i < 750; i++) {
      expect(charge(store, chargeOf(quiet, `kept ${i}`))).toBeUndefined();
      expect(charge(store, chargeOf(quiet, `kept ${i}`))?.rule).toBe(quiet);
    }
  });

  test('evict from their largest rule: a flood of one rule does not affect the others of its group', () => {
    const store = grouped();
    for (let i = 0; i < 750; i++) charge(store, chargeOf(quiet, `${i}`));
    for (let i = 0; i < 100; i++) charge(store, chargeOf(mixed, `kept ${i}`, 5));
    for (let i = 0; i < 20_000; i++) charge(store, chargeOf(loud, `${i}`));
    for (let i = 0; i < 100; i++) expect(charge(store, chargeOf(mixed, `kept ${i}`))?.rule).toBe(mixed);
    expect(charge(store, chargeOf(quiet, 'new', 5))).toBeUndefined();
  });

  test('may change with the rules', () => {
    const store = grouped();
    for (let i = 0; i < 1000; i++) charge(store, chargeOf(loud, `${i}`, 5));
    store.setRules([quiet, { ...loud, group: 0 }, mixed]);
    for (let i = 0; i < 250; i++) charge(store, chargeOf(mixed, `kept ${i}`, 5));
    for (let i = 0; i < 5000; i++) charge(store, chargeOf(quiet, `${i}`));
    for (let i = 0; i < 250; i++) expect(charge(store, chargeOf(mixed, `kept ${i}`))?.rule).toBe(mixed);
  });
});

describe('changed rules', () => {
  test('keep the levels of unchanged names, and empty removed ones', () => {
    const store = storeOf();
    store.charge([chargeOf(fast, 'a', 3), chargeOf(slow, 'a', 2), chargeOf(wide, 'a', 7)]);
    const slower = ruleOf('slow', 1, 2, 120);
    store.setRules([slower, wide]);
    expect(store.charge([chargeOf(slower, 'a')])?.retry_after_us).toBe(MINUTE_US);
    expect(store.charge([chargeOf(wide, 'a')])?.rule).toBe(wide);
    store.at(2 * SECOND_US).sweepAll();
    expect(store.size()).toBe(2);
    store.setRules([fast, slower, wide]);
    expect(store.charge([chargeOf(fast, 'a', 3)])).toBeUndefined();
  });

  test('may be many more than before', () => {
    const store = storeOf();
    const rules = Array.from({ length: 2000 }, (_, i) => ruleOf(`rule ${i}`, i, 2, 60));
    store.setRules(rules);
    for (const rule of rules) expect(store.charge([chargeOf(rule, 'a', 2)])).toBeUndefined();
    for (const rule of rules) expect(store.charge([chargeOf(rule, 'a')])?.rule).toBe(rule);
  });
});
