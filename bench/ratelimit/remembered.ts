import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { RememberedDenials } from '@gatehouse/ratelimit-client/leaky-bucket/remembered-denials';
import type { RateCase } from './rate.ts';

const CALLS = 10_000;

/** Remembered denials from a full memory, rotating through its keys. */
export function rememberedCase(): RateCase {
  const rule = { name: 'bench', index: 0, ...rate(60, 60) };
  const now_us = (): number => Math.floor(performance.now() * 1000);
  const memory = new RememberedDenials({ max_entries: 65_536, now_us });
  const buckets = Array.from({ length: 65_536 }, (_, n) => ({ rule, key: `webhook:${n}` }));
  for (const bucket of buckets)
    memory.remember({ ...bucket, retry_after_us: 3.6e9, empty_after_us: 3.6e9 }, 1);
  const checks = buckets.map((bucket) => [[{ ...bucket, cost: 1 }]]);
  let next = 0;
  return {
    name: 'a remembered denial, in process',
    concurrency: 1,
    once: async () => {
      for (let call = 0; call < CALLS; call++) {
        next = (next + 7919) % checks.length;
        if (memory.denialFor(checks[next] ?? []) === undefined) throw new Error('a denial was forgotten');
      }
      return CALLS;
    },
  };
}
