import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Charge, check } from '../src/check.ts';
import { type MemoryStore, memoryStore } from '../src/memory-store.ts';
import { parseReference, type Rule } from '../src/reference.ts';

const { rules } = parseReference({
  fast: { limit: 3, window_seconds: 1, key: ['ip'] },
  slow: { limit: 2, window_seconds: 60, key: ['ip'] },
  wide: { limit: 7, window_seconds: 10_800, key: ['ip'] },
});
const [fast, slow, wide] = rules as [Rule, Rule, Rule];
const MINUTE_US = 60_000_000;

function storeOf(max_buckets = 100_000): MemoryStore {
  return memoryStore({ rules, max_buckets, now_us: 0 });
}

function one(rule: Rule, key: string, cost = 1): Charge {
  return { rule, key, cost };
}

const anyCharge = fc
  .record({
    rule: fc.constantFrom(...rules),
    key: fc.constantFrom('a', 'b', 'c'),
    cost: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ rule, key, cost }) => one(rule, key, Math.min(cost, rule.limit)));
const anySet = fc.uniqueArray(anyCharge, {
  maxLength: 5,
  selector: ({ rule, key }) => `${rule.name} ${key}`,
});
const anyStep = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }),
  fc.integer({ min: 0, max: 40_000_000 }),
  fc.constant(10_800_000_000),
);
const anyTraffic = fc.array(fc.tuple(anyStep, fc.array(anySet, { maxLength: 3 }), fc.boolean()), {
  maxLength: 80,
});

test('any traffic of sets is decided as exact integers decide it, however often empty buckets are swept', async () => {
  await fc.assert(
    fc.property(anyTraffic, (traffic) => {
      const store = storeOf();
      const levels = new Map<string, { level: bigint; last: bigint }>();
      let now_us = 0;
      for (const [step_us, sets, sweeps] of traffic) {
        now_us += step_us;
        if (sweeps) store.sweep(now_us, 3);
        const denial = check(store, sets, now_us);
        expect(
          denial && { bucket: denial.rule.name, wait: denial.retry_after_us, empty: denial.empty_after_us },
        ).toEqual(oracle(levels, sets, BigInt(now_us)));
      }
    }),
  );
});

test('a denied set leaves every bucket of it as it was, and makes none', () => {
  const store = storeOf();
  expect(store.charge([one(slow, 'a', 2)], 0)).toBeUndefined();
  expect(store.charge([one(fast, 'a'), one(slow, 'a'), one(wide, 'a')], 0)?.rule).toBe(slow);
  expect(store.size()).toBe(1);
  expect(store.charge([one(fast, 'a', 3), one(wide, 'a', 7)], 0)).toBeUndefined();
});

test('of several buckets that deny, the longest wait is reported, in whatever order they come', () => {
  for (const set of [
    [one(fast, 'a'), one(slow, 'a'), one(wide, 'a')],
    [one(wide, 'a'), one(slow, 'a'), one(fast, 'a')],
  ]) {
    const store = storeOf();
    store.charge([one(fast, 'a', 3), one(slow, 'a', 2), one(wide, 'a', 6)], 0);
    expect(store.charge(set, 0)).toEqual({
      rule: slow,
      retry_after_us: 30_000_000,
      empty_after_us: 60_000_000,
    });
  }
});

test('a set that denies keeps what earlier sets charged', () => {
  const store = storeOf();
  store.charge([one(slow, 'a', 2)], 0);
  expect(check(store, [[one(fast, 'a', 3)], [one(slow, 'a')], [one(wide, 'a', 7)]], 0)?.rule).toBe(slow);
  expect(store.charge([one(fast, 'a')], 0)?.rule).toBe(fast);
  expect(store.charge([one(wide, 'a', 7)], 0)).toBeUndefined();
});

test('buckets that became empty leave by themselves; one that is charged again stays as long as it must', () => {
  const store = storeOf();
  for (let i = 0; i < 5000; i++) store.charge([one(slow, `${i}`)], i);
  expect(store.size()).toBe(5000);
  store.charge([one(slow, '0')], 20_000_000);
  sweepAll(store, 35_000_000);
  expect(store.size()).toBe(1);
  expect(store.charge([one(slow, '0', 2)], 35_000_000)?.retry_after_us).toBe(25_000_000);
  sweepAll(store, 62_000_000);
  expect(store.size()).toBe(0);
});

test('one sweep never does more than its budget', () => {
  const store = storeOf();
  for (let i = 0; i < 1000; i++) store.charge([one(fast, `${i}`)], 0);
  expect(store.sweep(MINUTE_US, 10)).toBe(true);
  expect(store.size()).toBe(990);
});

test('traffic alone keeps a flood of new keys from piling up', () => {
  const store = storeOf();
  for (let i = 0; i < 300_000; i++) store.charge([one(fast, `key ${i}`)], i * 100);
  expect(store.size()).toBeLessThan(25_000); // 10,000 keys a second; each bucket lives a third of one
});

test('in a full store nobody is admitted beyond a limit and nobody who is in loses anything', () => {
  const store = storeOf(1000);
  for (let i = 0; i < 1000; i++) store.charge([one(wide, `old ${i}`, 6)], 0);
  const admitted = new Map<string, number>();
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 5000; i++) {
      const key = `new ${i}`;
      if (store.charge([one(slow, key)], 0) === undefined) admitted.set(key, (admitted.get(key) ?? 0) + 1);
    }
  }
  const total = [...admitted.values()].reduce((sum, count) => sum + count, 0);
  expect(Math.max(...admitted.values())).toBeLessThanOrEqual(slow.limit);
  expect(total).toBe(256 * slow.limit); // the shared buckets, and not one token more
  expect(store.sharedCharges()).toBe(total);
  expect(store.size()).toBe(1000);
  for (let i = 0; i < 1000; i++) {
    expect(store.charge([one(wide, `old ${i}`)], 0)).toBeUndefined();
    expect(store.charge([one(wide, `old ${i}`)], 0)?.rule).toBe(wide);
  }
});

test('who moves from a shared bucket to one of their own takes its level along', () => {
  const store = storeOf(1);
  store.charge([one(fast, 'old')], 0);
  expect(store.charge([one(slow, 'new', 2)], 0)).toBeUndefined();
  sweepAll(store, 2_000_000); // "old" has left: there is room again
  expect(store.size()).toBe(0);
  expect(store.charge([one(slow, 'new')], 2_000_000)?.retry_after_us).toBe(28_000_000);
  expect(store.charge([one(slow, 'new')], 30_000_000)).toBeUndefined();
  expect(store.size()).toBe(1);
  expect(store.charge([one(slow, 'new')], 59_999_999)?.retry_after_us).toBe(1);
  expect(store.charge([one(slow, 'new')], 60_000_000)).toBeUndefined();
});

test('two identities of one set that share a bucket of a full store are both counted', () => {
  const store = storeOf(1);
  store.charge([one(wide, 'old', 7)], 0);
  const everyone = Array.from({ length: 100 }, (_, i) => one(wide, `new ${i}`)); // of 256 shared buckets: some meet
  expect(store.charge(everyone, 0)).toBeUndefined();
  let left = 0;
  for (let i = 0; i < 50_000; i++) if (store.charge([one(wide, `newer ${i}`)], 0) === undefined) left++;
  expect(left).toBe(256 * wide.limit - everyone.length);
});

function sweepAll(store: MemoryStore, now_us: number): void {
  while (store.sweep(now_us, 1000));
}

/** What is to be decided, from the definition, in integers of any size. */
function oracle(
  levels: Map<string, { level: bigint; last: bigint }>,
  sets: readonly (readonly Charge[])[],
  now: bigint,
): { bucket: string; wait: number; empty: number } | undefined {
  const levelOf = ({ rule, key }: Charge): bigint => {
    const { level, last } = levels.get(`${rule.name} ${key}`) ?? { level: 0n, last: now };
    const left = level - BigInt(rule.limit) * (now - last);
    return left > 0n ? left : 0n;
  };
  const ceil = (units: bigint, { limit }: Rule): number =>
    Math.max(0, Number((units + BigInt(limit) - 1n) / BigInt(limit)));
  for (const set of sets) {
    let denial: { bucket: string; wait: number; empty: number } | undefined;
    for (const charge of set) {
      const level = levelOf(charge);
      const excess = level + BigInt(charge.cost * charge.rule.window_us) - BigInt(charge.rule.capacity);
      const wait = ceil(excess, charge.rule);
      if (excess > 0n && wait > (denial?.wait ?? 0))
        denial = { bucket: charge.rule.name, wait, empty: ceil(level, charge.rule) };
    }
    if (denial !== undefined) return denial;
    for (const charge of set) {
      const level = levelOf(charge) + BigInt(charge.cost * charge.rule.window_us);
      levels.set(`${charge.rule.name} ${charge.key}`, { level, last: now });
    }
  }
  return undefined;
}
