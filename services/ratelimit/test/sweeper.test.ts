import { Writable } from 'node:stream';
import { createLogger, silentLogger } from '@gatehouse/kit/log';
import { expect, test, vi } from 'vitest';
import { memoryStore } from '../src/memory-store.ts';
import { parseReference, type Rule } from '../src/reference.ts';
import { sweeper } from '../src/sweeper.ts';

const { rules } = parseReference({ slow: { limit: 2, window_seconds: 60, key: ['ip'] } });
const [slow] = rules as [Rule];

test('without any traffic empty buckets leave, more than one turn holds, and live ones stay', async () => {
  let now_us = 0;
  const store = memoryStore({ rules, max_buckets: 10_000, now_us });
  for (let i = 0; i < 5000; i++) store.charge([{ rule: slow, key: `${i}`, cost: 1 }], 0);
  store.charge([{ rule: slow, key: 'busy', cost: 2 }], 0);
  now_us = 31_000_000;
  const sweeping = sweeper(store, () => now_us, silentLogger);
  await vi.waitFor(() => expect(store.size()).toBe(1), { timeout: 10_000 });
  sweeping.close();
});

test('a full store is said so in the log, without any identity', async () => {
  let logged = '';
  const destination = new Writable({
    write: (chunk, _, done) => {
      logged += String(chunk);
      done();
    },
  });
  const store = memoryStore({ rules, max_buckets: 1, now_us: 0 });
  const sweeping = sweeper(store, () => 0, createLogger({ name: 'ratelimit', destination }));
  for (const key of ['planted-1', 'planted-2']) store.charge([{ rule: slow, key, cost: 1 }], 0);
  await vi.waitFor(() => expect(logged).toContain('the store is full'), { timeout: 10_000 });
  sweeping.close();
  expect(logged).toContain('"shared_charges":1');
  expect(logged).not.toContain('planted');
});
