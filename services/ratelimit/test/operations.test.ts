import { faultOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { FailurePolicy, LimitKind } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type ChargeTuple,
  charges,
  check,
  denialOf,
  LONG_TIMEOUT,
  type Peer,
  request,
  type Served,
  startRatelimit,
} from './support.ts';

let now_us: number;
let served: Served;
let peer: Peer;

beforeEach(async () => {
  now_us = 1_000_000;
  served = await startRatelimit({}, { now_us: () => now_us });
  peer = served.peer;
});

afterEach(() => served.close());

const WEBHOOK: ChargeTuple = ['webhook:execute', ['webhook:1']]; // 60 per 60 s
const named = (...list: ChargeTuple[]) => ({ charges: charges(list) });
const peek = async (...list: ChargeTuple[]) => (await peer.client.peek(named(...list), LONG_TIMEOUT)).states;

test('CheckMany decides each check like Check, in order', async () => {
  const all: ChargeTuple = [WEBHOOK[0], WEBHOOK[1], 59];
  const { answers } = await peer.client.checkMany(
    {
      checks: [
        request([all]),
        request([WEBHOOK]),
        request([WEBHOOK]),
        request([['report', ['a']]]),
        request(),
      ],
    },
    LONG_TIMEOUT,
  );
  expect(answers.map(({ denial }) => denial?.bucket ?? 'admitted')).toEqual([
    'admitted',
    'admitted',
    'webhook:execute',
    'admitted',
    'admitted',
  ]);
  expect(await denialOf(peer, [WEBHOOK])).toEqual(answers[2]?.denial);
});

test('an invalid CheckMany reports the path, and charges nothing', async () => {
  const checks = [
    request([WEBHOOK]),
    request(
      [],
      [
        ['report', ['a']],
        ['report', ['']],
      ],
    ),
  ];
  const fault = await faultOf(peer.client.checkMany({ checks }, LONG_TIMEOUT));
  expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason: 'BAD_IDENTITY' });
  expect(fault.violations[0]?.path).toBe('checks.1.sets.1.charges.1.identities.0');
  expect(await peek(WEBHOOK)).toMatchObject([{ remaining: 60 }]);

  const many = { checks: Array.from({ length: 257 }, () => request([WEBHOOK])) };
  expect(await faultOf(peer.client.checkMany(many, LONG_TIMEOUT))).toMatchObject({
    reason: 'TOO_MANY_CHECKS',
  });
  expect((await peer.client.checkMany({ checks: many.checks.slice(1) }, LONG_TIMEOUT)).answers).toHaveLength(
    256,
  );
});

test('Peek reads and charges nothing', async () => {
  expect(await denialOf(peer, [[WEBHOOK[0], WEBHOOK[1], 59]])).toBeNull();
  const state = {
    bucket: 'webhook:execute',
    limit: 60,
    remaining: 1,
    retry_after_us: 0,
    empty_after_us: 59_000_000,
  };
  expect(await peek(WEBHOOK, WEBHOOK, ['report', ['a']])).toEqual([
    state,
    state,
    { bucket: 'report', limit: 10, remaining: 10, retry_after_us: 0, empty_after_us: 0 },
  ]);
  expect(await denialOf(peer, [WEBHOOK])).toBeNull();
  now_us += 300_000;
  expect(await peek(WEBHOOK)).toMatchObject([
    { remaining: 0, retry_after_us: 700_000, empty_after_us: 59_700_000 },
  ]);
});

test('Refund refunds exactly the cost, and never more than the bucket holds', async () => {
  expect(await denialOf(peer, [[WEBHOOK[0], WEBHOOK[1], 60]])).toBeNull();
  await peer.client.refund(named([WEBHOOK[0], WEBHOOK[1], 2]), LONG_TIMEOUT);
  expect(await peek(WEBHOOK)).toMatchObject([{ remaining: 2 }]);
  await peer.client.refund(named([WEBHOOK[0], WEBHOOK[1], 60], ['report', ['a']]), LONG_TIMEOUT);
  expect(await peek(WEBHOOK, ['report', ['a']])).toMatchObject([{ remaining: 60 }, { remaining: 10 }]);
  expect(await denialOf(peer, [[WEBHOOK[0], WEBHOOK[1], 60]])).toBeNull();
  expect(await denialOf(peer, [WEBHOOK])).not.toBeNull();
  for (const cost of [0, 61]) {
    const fault = await faultOf(peer.client.refund(named([WEBHOOK[0], WEBHOOK[1], cost]), LONG_TIMEOUT));
    expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason: 'BAD_COST' });
    expect(fault.violations[0]?.path).toBe('charges.0.cost');
  }
});

test('Reset empties the buckets it names and no other', async () => {
  const other: ChargeTuple = ['webhook:execute', ['webhook:2'], 60];
  expect(await denialOf(peer, [[WEBHOOK[0], WEBHOOK[1], 60], other])).toBeNull();
  await peer.client.reset(named(WEBHOOK), LONG_TIMEOUT);
  expect(await peek(WEBHOOK, other)).toMatchObject([{ remaining: 60 }, { remaining: 0 }]);
});

test.each(['peek', 'refund', 'reset'] as const)('%s validates its request like Check', async (rpc) => {
  const wrong: [reason: string, path: string, list: ChargeTuple[]][] = [
    ['UNKNOWN_BUCKET', 'charges.1.bucket', [WEBHOOK, ['slowmode', ['a', 'b']]]],
    ['WRONG_IDENTITIES', 'charges.0.identities', [['report', []]]],
    ['BAD_IDENTITY', 'charges.0.identities.0', [['report', ['']]]],
    ['TOO_MANY_CHARGES', 'charges', Array.from({ length: 17 }, () => WEBHOOK)],
  ];
  for (const [reason, path, list] of wrong) {
    const fault = await faultOf(peer.client[rpc](named(...list), LONG_TIMEOUT));
    expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason });
    expect(fault.violations[0]?.path).toBe(path);
  }
});

test('Explain reports each charge’s rule and state, counts earlier sets, and charges nothing', async () => {
  expect(await denialOf(peer, [[WEBHOOK[0], WEBHOOK[1], 58]])).toBeNull();
  const asked = request(
    [WEBHOOK],
    [
      [WEBHOOK[0], WEBHOOK[1], 2],
      ['auth:emailchg_start', ['account:1']],
    ],
  );
  const { explanations, admitted, store, revision } = await peer.client.explain(
    { check: asked },
    LONG_TIMEOUT,
  );
  expect({ admitted, store }).toEqual({ admitted: false, store: 'memory' });
  expect(revision).toBe((await peer.client.listBuckets({}, LONG_TIMEOUT)).revision);
  const state = { bucket: 'webhook:execute', remaining: 2, retry_after_us: 0, empty_after_us: 58_000_000 };
  expect(explanations).toMatchObject([
    { set: 0, cost: 1, admitted: true, retry_after_us: 0, remembered: false, state },
    { set: 1, cost: 2, admitted: false, retry_after_us: 1_000_000, state },
    {
      set: 1,
      cost: 1,
      admitted: true,
      retry_after_us: 0,
      state: { bucket: 'email_change:orig', remaining: 3 },
    },
  ]);
  expect(explanations[2]?.rule).toEqual({
    name: 'email_change:orig',
    limit: 3,
    window_seconds: 900,
    key: ['account'],
    aliases: ['auth:emailchg_start'],
    policy: FailurePolicy.FAILURE_POLICY_LOCAL,
    kind: LimitKind.LIMIT_KIND_LEAKY_BUCKET,
  });
  expect(await peek(WEBHOOK)).toMatchObject([{ remaining: 2 }]);
  expect(await check(peer, ...[[WEBHOOK], [[WEBHOOK[0], WEBHOOK[1], 2] as const]])).toMatchObject({
    denial: { bucket: 'webhook:execute', retry_after_us: 1_000_000 },
  });

  const fault = await faultOf(peer.client.explain({ check: request([['no:such', ['a']]]) }, LONG_TIMEOUT));
  expect(fault.violations[0]?.path).toBe('check.sets.0.charges.0.bucket');
});

test('GetStatistics counts decisions by bucket name', async () => {
  await denialOf(peer, [['global', ['client:1']]], [[WEBHOOK[0], WEBHOOK[1], 60]]);
  await denialOf(peer, [['global', ['client:1']]], [WEBHOOK]);
  await peer.client.checkMany({ checks: [request([WEBHOOK]), request([['report', ['a']]])] }, LONG_TIMEOUT);
  await peek(WEBHOOK);
  const statistics = await peer.client.getStatistics({}, LONG_TIMEOUT);
  expect(statistics).toMatchObject({
    checks: 4,
    degraded: 0,
    remembered: 0,
    live_buckets: 3,
    store: 'memory',
    store_up: true,
  });
  expect(statistics.buckets.toSorted((a, b) => a.bucket.localeCompare(b.bucket))).toEqual([
    { bucket: 'global', admitted: 2, denied: 0, shadowed: 0 },
    { bucket: 'report', admitted: 1, denied: 0, shadowed: 0 },
    { bucket: 'webhook:execute', admitted: 1, denied: 2, shadowed: 0 },
  ]);
});
