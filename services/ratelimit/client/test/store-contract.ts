import { test } from 'vitest';
import { testBursts } from './store-contract/bursts.ts';
import { testChangedRules } from './store-contract/changed-rules.ts';
import { testClock } from './store-contract/clock.ts';
import { testConcurrency } from './store-contract/concurrency.ts';
import { testCosts } from './store-contract/costs.ts';
import { testFixedWindows } from './store-contract/fixed-windows.ts';
import { type OpenStore, storeHarness } from './store-contract/harness.ts';
import { storeProperty } from './store-contract/property.ts';
import { testSets } from './store-contract/sets.ts';
import { testState } from './store-contract/state.ts';

/**
 * Declares the one table of tests that every store passes (../src/leaky-bucket/store.ts). Buckets of one test share
 * their first identity, so that a cluster can keep them together; keys are new in each run.
 *
 * @param open opens the store, once for the whole table
 */
export function storeContract(open: () => Promise<OpenStore>): void {
  const harness = storeHarness(open);
  testBursts(harness);
  testSets(harness);
  testCosts(harness);
  testState(harness);
  testChangedRules(harness);
  testClock(harness);
  testFixedWindows(harness);
  testConcurrency(harness);
  test('any traffic is decided as by exact integers: limits, windows, costs, times, sets, clock steps', async () => {
    await storeProperty(harness.opened());
  }, 120_000);
}
