import { MemoryStore } from '../../src/leaky-bucket/memory-store.ts';
import { storeContract } from '../store-contract.ts';

storeContract(async () => {
  let now_us = 0;
  const store = new MemoryStore({ rules: [], max_buckets: 100_000, now_us: () => now_us });
  return {
    store,
    setNow: (time_us) => {
      now_us = time_us;
    },
    close: async () => undefined,
  };
});
