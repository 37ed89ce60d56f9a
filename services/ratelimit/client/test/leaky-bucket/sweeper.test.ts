import { expect, test, vi } from 'vitest';
import { MemoryStore } from '../../src/leaky-bucket/memory-store.ts';
import { rate } from '../../src/leaky-bucket/rate.ts';
import type { BucketRule } from '../../src/leaky-bucket/store.ts';
import { Sweeper } from '../../src/leaky-bucket/sweeper.ts';
import { silentLogger } from '../../src/logger.ts';

const slow: BucketRule = { name: 'slow', index: 0, ...rate(2, 60) };
const rules = [slow];

test('without traffic, more empty buckets than one turn handles leave, and live ones stay', async () => {
  let now_us = 0;
  const store = new MemoryStore({ rules, max_buckets: 10_000, now_us: () => now_us });
  for (let i = 0; i < 5000; i++) store.decide([[[{ rule: slow, key: `${i}`, cost: 1 }]]]);
  store.decide([[[{ rule: slow, key: 'busy', cost: 2 }]]]);
  now_us = 31_000_000;
  const sweeping = new Sweeper(store, () => now_us, silentLogger);
  await vi.waitFor(() => expect(store.size()).toBe(1), { timeout: 30_000 });
  sweeping.close();
});

test('a full store is logged, without identities', async () => {
  let logged = '';
  const warn = (members: object, message: string) => {
    logged += JSON.stringify([members, message]);
  };
  const store = new MemoryStore({ rules, max_buckets: 1, now_us: () => 0 });
  const sweeping = new Sweeper(store, () => 0, { ...silentLogger, warn });
  for (const key of ['planted-1', 'planted-2']) store.decide([[[{ rule: slow, key, cost: 1 }]]]);
  await vi.waitFor(() => expect(logged).toContain('the store is full'), { timeout: 30_000 });
  sweeping.close();
  expect(logged).toContain('"evicted":1');
  expect(logged).not.toContain('planted');
});
