import { describe, expect, test } from 'vitest';
import { rate } from '../../src/leaky-bucket/leaky-bucket.ts';
import { type MemoryStore, memoryStore } from '../../src/leaky-bucket/memory-store.ts';
import type { BucketRule, Charge, Decision } from '../../src/leaky-bucket/store.ts';

const fast = ruleOf('fast', 0, 3, 1);
const slow = ruleOf('slow', 1, 2, 60);
const wide = ruleOf('wide', 2, 7, 10_800);
const SECOND_US = 1_000_000;
const MINUTE_US = 60_000_000;

interface TestStore extends MemoryStore {
  charge(set: readonly Charge[]): Decision;
  sweepAll(): void;
  at(now_us: number): TestStore;
}

function storeOf(max_buckets = 100_000): TestStore {
  let now_us = 0;
  const store = memoryStore({ rules: [fast, slow, wide], max_buckets, now_us: () => now_us });
  const testStore: TestStore = {
    ...store,
    charge: (set) => store.decide([[set]])[0],
    sweepAll: () => {
      while (store.sweep(1000));
    },
    at: (time_us) => {
      now_us = time_us;
      return testStore;
    },
  };
  return testStore;
}

function ruleOf(name: string, index: number, limit: number, window_seconds: number): BucketRule {
  return { name, index, ...rate(limit, window_seconds) };
}

function one(rule: BucketRule, key: string, cost = 1): Charge {
  return { rule, key, cost };
}

describe('empty buckets', () => {
  test('are not made by what is denied, asked or given back', () => {
    const store = storeOf();
    store.charge([one(slow, 'a', 2)]);
    expect(store.charge([one(fast, 'a'), one(slow, 'a'), one(wide, 'a')])?.rule).toBe(slow);
    expect(store.charge([one(fast, 'a', 0), one(wide, 'a', -1)])).toBeUndefined();
    store.read([one(fast, 'a'), one(wide, 'b')]);
    store.reset([one(fast, 'a')]);
    expect(store.size()).toBe(1);
  });

  test('leave by themselves; one that is charged again stays as long as it must', () => {
    const store = storeOf();
    for (let i = 0; i < 5000; i++) store.at(i).charge([one(slow, `${i}`)]);
    expect(store.size()).toBe(5000);
    store.at(20 * SECOND_US).charge([one(slow, '0')]);
    store.at(35 * SECOND_US).sweepAll();
    expect(store.size()).toBe(1);
    expect(store.charge([one(slow, '0', 2)])?.retry_after_us).toBe(25 * SECOND_US);
    store.at(62 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
  });

  test('leave when a refund or a reset emptied them', () => {
    const store = storeOf();
    store.charge([one(slow, 'refunded', 2), one(slow, 'reset', 2), one(slow, 'kept', 2)]);
    store.charge([one(slow, 'refunded', -2)]);
    store.reset([one(slow, 'reset')]);
    store.at(MINUTE_US + SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
    store.charge([one(slow, 'reset', 2), one(slow, 'kept')]);
    expect(store.size()).toBe(2);
  });

  test('never cost one sweep more than its budget', () => {
    const store = storeOf();
    for (let i = 0; i < 1000; i++) store.charge([one(fast, `${i}`)]);
    expect(store.at(MINUTE_US).sweep(10)).toBe(true);
    expect(store.size()).toBe(990);
  });

  test('of a flood of new keys do not pile up, in sets of many too, by traffic alone', () => {
    const store = storeOf();
    for (let i = 0; i < 300_000; i++) store.at(i * 100).charge([one(fast, `key ${i}`)]);
    expect(store.size()).toBeLessThan(25_000); // 10,000 keys a second; each bucket lives a third of one
    for (let i = 0; i < 20_000; i++) {
      const set = Array.from({ length: 16 }, (_, key) => one(fast, `set ${i} ${key}`));
      store.at(MINUTE_US + i * 1600).charge(set);
    }
    expect(store.size()).toBeLessThan(25_000);
  });

  test('leave within a turn of the wheel after a clock that jumped, either way', () => {
    const store = storeOf();
    store.charge([one(fast, 'before')]);
    store.at(1_700_000_000 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
    store.at(0).charge([one(fast, 'after')]);
    store.at(4096 * SECOND_US).sweepAll();
    expect(store.size()).toBe(0);
  });
});

describe('in a full store', () => {
  test('nobody is admitted beyond a limit and nobody who is in loses anything', () => {
    const store = storeOf(1000);
    for (let i = 0; i < 1000; i++) store.charge([one(wide, `old ${i}`, 6)]);
    const admitted = new Map<string, number>();
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 5000; i++) {
        const key = `new ${i}`;
        if (store.charge([one(slow, key)]) === undefined) admitted.set(key, (admitted.get(key) ?? 0) + 1);
      }
    }
    const total = [...admitted.values()].reduce((sum, count) => sum + count, 0);
    expect(Math.max(...admitted.values())).toBeLessThanOrEqual(slow.limit);
    expect(total).toBe(256 * slow.limit); // the shared buckets, and not one token more
    expect(store.sharedCharges()).toBe(total);
    expect(store.size()).toBe(1000);
    for (let i = 0; i < 1000; i++) {
      expect(store.charge([one(wide, `old ${i}`)])).toBeUndefined();
      expect(store.charge([one(wide, `old ${i}`)])?.rule).toBe(wide);
    }
  });

  test('the shared buckets are for all newcomers, whichever of their identities differs', () => {
    for (const keyOf of [
      (i: number) => `account:${1423344334333440001n + BigInt(i)}|channel:1423344334333440002`,
      (i: number) => `account:1423344334333440001|channel:${1423344334333440002n + BigInt(i)}`,
    ]) {
      const store = storeOf(1);
      store.charge([one(wide, 'old', 7)]);
      for (let i = 0; i < 5000; i++) store.charge([one(slow, keyOf(i), 2)]);
      expect(store.sharedCharges()).toBe(256);
    }
  });

  test('who moves from a shared bucket to one of their own takes its level along', () => {
    const store = storeOf(1);
    store.charge([one(fast, 'old')]);
    expect(store.charge([one(slow, 'new', 2)])).toBeUndefined();
    store.at(2 * SECOND_US).sweepAll(); // "old" has left: there is room again
    expect(store.size()).toBe(0);
    expect(store.charge([one(slow, 'new')])?.retry_after_us).toBe(28 * SECOND_US);
    expect(store.at(30 * SECOND_US).charge([one(slow, 'new')])).toBeUndefined();
    expect(store.size()).toBe(1);
    expect(store.at(MINUTE_US - 1).charge([one(slow, 'new')])?.retry_after_us).toBe(1);
    expect(store.at(MINUTE_US).charge([one(slow, 'new')])).toBeUndefined();
  });

  test('two identities of one set that share a bucket are both counted, until all of it has drained', () => {
    const store = storeOf(1);
    store.charge([one(wide, 'old', 7)]);
    const everyone = Array.from({ length: 100 }, (_, i) => one(wide, `new ${i}`, 7)); // of 256 buckets: some meet
    expect(store.charge(everyone)).toBeUndefined();
    store.at(wide.window_us); // what one of them charged has drained, and what two did has not
    expect(everyone.some((charge) => store.charge([{ ...charge, cost: 1 }]) !== undefined)).toBe(true);
  });

  test('what somebody gives back or has reset is not taken out of what others charged', () => {
    const store = storeOf(1);
    store.charge([one(wide, 'old', 7)]);
    for (let i = 0; i < 5000; i++) store.charge([one(slow, `new ${i}`, 2)]);
    for (let i = 0; i < 5000; i++) {
      store.charge([one(slow, `new ${i}`, -2)]);
      store.reset([one(slow, `new ${i}`)]);
    }
    for (let i = 0; i < 5000; i++) expect(store.charge([one(slow, `new ${i}`)])?.rule).toBe(slow);
  });

  test('a shorter window of one does not shorten the wait of another who shares the bucket', () => {
    const store = storeOf(1);
    store.charge([one(fast, 'old', 3)]);
    const hour = ruleOf('slowmode', 3, 1, 3600);
    const second = ruleOf('slowmode', 3, 1, 1);
    const fill = (): string[] => {
      const admitted: string[] = [];
      for (let i = 0; i < 5000; i++)
        if (store.charge([one(hour, `${i}`)]) === undefined) admitted.push(`${i}`);
      return admitted;
    };
    expect(fill()).toHaveLength(256);
    for (let i = 0; i < 5000; i++) expect(store.charge([one(second, `${i}`)])).toBeDefined();
    expect(fill()).toHaveLength(0);
  });
});

describe('rules that are read anew', () => {
  test('keep the levels of those that stay, and let go of those that went', () => {
    const store = storeOf();
    store.charge([one(fast, 'a', 3), one(slow, 'a', 2), one(wide, 'a', 7)]);
    const slower = ruleOf('slow', 1, 2, 120);
    store.setRules([slower, wide]);
    expect(store.charge([one(slower, 'a')])?.retry_after_us).toBe(MINUTE_US);
    expect(store.charge([one(wide, 'a')])?.rule).toBe(wide);
    store.at(2 * SECOND_US).sweepAll();
    expect(store.size()).toBe(2);
    store.setRules([fast, slower, wide]);
    expect(store.charge([one(fast, 'a', 3)])).toBeUndefined();
  });

  test('may be many more than there were', () => {
    const store = storeOf();
    const rules = Array.from({ length: 2000 }, (_, i) => ruleOf(`rule ${i}`, i, 2, 60));
    store.setRules(rules);
    for (const rule of rules) expect(store.charge([one(rule, 'a', 2)])).toBeUndefined();
    for (const rule of rules) expect(store.charge([one(rule, 'a')])?.rule).toBe(rule);
  });
});
