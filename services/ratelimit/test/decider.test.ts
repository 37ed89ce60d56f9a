import { silentLogger } from '@gatehouse/kit/log';
import { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { DenialCache } from '@gatehouse/ratelimit-client/denials/denial-cache';
import { monotonicClock as now_us } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { expect, test } from 'vitest';
import { decider } from '../src/checks/decider.ts';
import { openRules } from '../src/reference/rules.ts';
import { Statistics } from '../src/statistics.ts';
import { guardedStore, type RemoteStore } from '../src/stores/guarded-store.ts';
import { BUILT_IN_RULES } from './support.ts';

test('a check that times out is answered by a denial received meanwhile, not by a policy', async () => {
  const rules = openRules({ file: BUILT_IN_RULES, log: silentLogger });
  const reference = rules.current();
  const denials = new DenialCache({ now_us, isCurrent: ({ name }) => reference.byName.has(name) });
  const policies = new FailurePolicies({
    rules: reference.rules,
    replicas: 1,
    max_buckets: 1000,
    now_us,
    denialFor: (set) => denials.denialFor(set),
  });
  const statistics = new Statistics();
  const remote = secondAnswerIsLost();
  const store = guardedStore({ store: remote, policies, log: silentLogger, isUp: true, timeout_ms: 25 });
  const { decide } = decider({ store, denials, now_us, statistics, enforced: true });
  try {
    const rule = reference.byName.get('report');
    if (rule === undefined) throw new Error('the reference has no such bucket');
    const charge: Check = [[{ rule, key: 'account:1', cost: 1 }]];
    remote.fill(charge);
    const [first, late] = await Promise.all([decide(charge), decide(charge)]);
    expect(first.denial).toBeDefined();
    expect(late).toMatchObject({ denial: { key: 'account:1' }, degraded: false });
    expect(statistics.counts()).toEqual({ checks: 2, degraded: 0, remembered: 1 });
  } finally {
    store.close();
    rules.close();
  }
});

/** A remote store that decides everything and answers only the first call. */
function secondAnswerIsLost(): RemoteStore & { fill(check: Check): void } {
  const levels = new MemoryStore({ rules: [], max_buckets: 1000, now_us });
  let calls = 0;
  return {
    fill: (check) =>
      void levels.decide([check.map((set) => set.map((charge) => ({ ...charge, cost: charge.rule.limit })))]),
    decide: (checks) => levels.decide(checks),
    decideEach: (checks) =>
      levels.decide(checks).map(async (denial) => {
        return ++calls === 1 ? { denial, states: [] } : new Promise<never>(() => undefined);
      }),
    decideAndRead: (check) => levels.decideAndRead(check),
    read: (buckets) => levels.read(buckets),
    reset: (buckets) => levels.reset(buckets),
    ping: async () => undefined,
  };
}
