import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/leaky-bucket/memory-store.ts';
import { rate } from '../../src/leaky-bucket/rate.ts';
import type { BucketRule, Charge } from '../../src/leaky-bucket/store.ts';

const exports: BucketRule = { name: 'exports', index: 0, ...rate(2, 60, 'concurrency') };
const imports: BucketRule = { name: 'imports', index: 1, ...rate(2, 30, 'concurrency') };

function openStore(max_leases?: number) {
  let now_us = 1_700_000_000_000_000;
  const store = new MemoryStore({
    rules: [exports, imports],
    max_buckets: 1000,
    ...(max_leases !== undefined && { max_leases }),
    now_us: () => now_us,
  });
  return {
    store,
    advance: (seconds: number) => {
      now_us += seconds * 1_000_000;
    },
    wait: (...set: Charge[]) => store.decideOne([set])?.retry_after_us ?? 0,
  };
}

function lease(rule: BucketRule, lease_id: string, cost = 1, key = lease_id): Charge {
  return { rule, key, cost, lease_id };
}

test('a full store denies new leases until one ends, and still renews and releases', () => {
  const { advance, wait } = openStore(3);
  expect(wait(lease(exports, 'a'))).toBe(0);
  advance(10);
  expect(wait(lease(imports, 'b'), lease(exports, 'c'))).toBe(0);
  expect(wait(lease(exports, 'd'))).toBe(30_000_000);
  expect(wait(lease(exports, 'a'))).toBe(0);
  advance(30);
  expect(wait(lease(exports, 'd'), lease(exports, 'e'))).toBeGreaterThan(0);
  expect(wait(lease(exports, 'd'))).toBe(0);
  expect(wait(lease(exports, 'e'))).toBe(30_000_000);
  expect(wait(lease(exports, 'd', -1))).toBe(0);
  expect(wait(lease(exports, 'e'))).toBe(0);
});

test('a flood of leases that nobody releases is bounded, and all of them end', () => {
  const { store, advance, wait } = openStore(100);
  let granted = 0;
  for (let i = 0; i < 10_000; i++) if (wait(lease(exports, `flood:${i}`)) === 0) granted++;
  expect(granted).toBe(100);
  advance(60);
  while (store.sweep(7));
  for (let i = 0; i < 100; i++) expect(wait(lease(exports, `later:${i}`))).toBe(0);
});

test('many acquisitions and releases leave no permit held', () => {
  const { store, advance, wait } = openStore();
  const held = new Map<string, number>();
  for (let i = 0; i < 20_000; i++) {
    const id = `${(i * 7919) % 5}`;
    const isHeld = held.has(id);
    const wait_us = wait({ ...lease(exports, id, isHeld && i % 3 === 0 ? -1 : 1), key: 'one' });
    if (isHeld && i % 3 === 0) held.delete(id);
    else if (wait_us === 0) held.set(id, 1);
    expect(held.size).toBeLessThanOrEqual(2);
    expect(store.read([{ rule: exports, key: 'one' }])[0]?.level).toBe(held.size);
  }
  advance(60);
  expect(store.read([{ rule: exports, key: 'one' }])).toMatchObject([{ level: 0, retry_after_us: 0 }]);
});

test('a rule that is removed, or becomes another kind, ends its leases', () => {
  const { store, wait } = openStore();
  expect(wait(lease(exports, 'a', 2))).toBe(0);
  store.setRules([{ ...exports, ...rate(2, 60) }]);
  store.setRules([exports]);
  expect(wait(lease(exports, 'b', 2, 'a'))).toBe(0);
});
