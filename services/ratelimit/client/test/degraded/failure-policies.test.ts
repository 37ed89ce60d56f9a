import { expect, it } from 'vitest';
import { FailurePolicies, type Policy, type PolicyRule } from '../../src/degraded/failure-policies.ts';
import { rate } from '../../src/leaky-bucket/rate.ts';
import type { Charge, Denial } from '../../src/leaky-bucket/store.ts';

const rule = (index: number, name: string, limit: number, policy: Policy): PolicyRule => ({
  name,
  index,
  policy,
  ...rate(limit, 10),
});
const FIVE = rule(0, 'five', 5, 'local');
const TEN = rule(1, 'ten', 10, 'local');
const CLOSED = rule(2, 'closed', 5, 'closed');
const OPEN = rule(3, 'open', 5, 'open');

const of = (rule: PolicyRule, cost = 1): Charge => ({ rule, key: 'account:1', cost });

function policies(replicas = 1, known: readonly Denial[] = []) {
  return new FailurePolicies({
    rules: [FIVE, TEN, CLOSED, OPEN],
    replicas,
    max_buckets: 100,
    now_us: () => 0,
    denialFor: (set) => known.find((denial) => set.some((charge) => charge.rule === denial.rule)),
  });
}

it.each([
  [1, 5],
  [2, 2],
  [3, 1],
  [5, 1],
  [6, 1],
])(
  'one of %i processes admits %i of a limit of 5: its part is rounded down, and at least one',
  (replicas, part) => {
    const local = policies(replicas);
    for (let n = 0; n < part; n++) expect(local.decide([[of(FIVE)]])).toBeUndefined();
    expect(local.decide([[of(FIVE)]]), 'the window is the rule’s, and the denial names its limit').toEqual({
      rule: FIVE,
      key: 'account:1',
      retry_after_us: 10_000_000 / part,
      empty_after_us: 10_000_000,
    });
  },
);

it('a set that is closed reports the longest wait for the whole cost of another of its buckets', () => {
  const local = policies();
  expect(local.decide([[of(TEN, 9)]])).toBeUndefined();
  // One of ten would fit now; four do after three seconds.
  expect(local.decide([[of(CLOSED), of(TEN, 1)]])).toMatchObject({ rule: CLOSED, retry_after_us: 1_000_000 });
  expect(local.decide([[of(CLOSED), of(TEN, 4)]])).toMatchObject({ rule: TEN, retry_after_us: 3_000_000 });
  expect(local.decide([[of(TEN, 1)]]), 'nothing was charged').toBeUndefined();
});

it('a known denial holds, whatever the policy, unless another is longer', () => {
  const known = { rule: OPEN, key: 'account:1', retry_after_us: 2_000_000, empty_after_us: 3_000_000 };
  const local = policies(1, [known]);
  expect(local.decide([[of(OPEN)]])).toEqual(known);
  expect(local.decide([[of(CLOSED), of(OPEN)]])).toEqual(known);
  expect(local.decide([[of(TEN, 10)]])).toBeUndefined();
  expect(local.decide([[of(OPEN), of(TEN, 5)]])).toMatchObject({ rule: TEN, retry_after_us: 5_000_000 });
  expect(local.decide([[of(FIVE)], [of(OPEN)]]), 'the sets before it are charged').toEqual(known);
  expect(local.decide([[of(FIVE, 5)]])).toMatchObject({ rule: FIVE, retry_after_us: 2_000_000 });
});

it('a refund is never denied', () => {
  const local = policies();
  expect(local.decide([[of(CLOSED, -1), of(OPEN, -1), of(FIVE, -1)]])).toBeUndefined();
});

it('a cost above the limit is never admitted, one above the share counts as the share', () => {
  const local = policies(2);
  expect(local.decide([[of(TEN, 11)]])).toMatchObject({ rule: TEN });
  expect(local.decide([[of(TEN, 10)]])).toBeUndefined();
});

it('changed rules apply at once', () => {
  const local = policies();
  local.setRules([FIVE, TEN, { ...CLOSED, policy: 'open' }, { ...OPEN, policy: 'closed' }]);
  expect(local.decide([[of(CLOSED)]])).toBeUndefined();
  expect(local.decide([[of(OPEN)]])).toMatchObject({ retry_after_us: 1_000_000 });
});
