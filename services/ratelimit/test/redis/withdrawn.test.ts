import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled, Status } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import type { BatchedCheck } from '../../src/redis/batch.ts';
import { checkQueue } from '../../src/redis/check-queue.ts';
import { decideAcrossSlots } from '../../src/redis/decide-across-slots.ts';
import { openRules } from '../../src/reference/rules.ts';
import { type GuardedStore, guardedStore, type RemoteStore } from '../../src/stores/guarded-store.ts';
import { NOT_MADE } from '../../src/stores/verdict.ts';
import { withdraw } from '../../src/withdrawn.ts';
import { BUILT_IN_RULES, until } from '../support.ts';

const rules = openRules({ file: BUILT_IN_RULES, log: silentLogger });
const RULES = rules.current();
const PORTAL = RULES.byName.get('premium:portal');

afterAll(() => rules.close());

function checkOf(account: number): Check {
  if (PORTAL === undefined) throw new Error('the reference has no premium:portal');
  return [[{ rule: PORTAL, key: String(account), cost: 1 }]];
}

test('a check that is withdrawn before it is sent to Redis is not sent', async () => {
  const sent: { keys: string[]; answer(): void }[] = [];
  const client = {
    callBuffer: (_command: string, _sha: string, count: number, ...keys: string[]) =>
      new Promise((resolve) => {
        sent.push({ keys: keys.slice(0, count), answer: () => resolve([]) });
      }),
  };
  // The queue calls nothing else of the client.
  const decide = checkQueue({
    client: client as unknown as Redis,
    timeout_ms: 10_000,
    onFailure: () => undefined,
  });
  const checks = Array.from({ length: 200 }, (_, index) => checkOf(index));
  const outcomes = checks.map((check) => decide(0, { check, withStates: false }).catch((error) => error));
  await until(() => sent.length === 2); // two batches of 64; the others wait
  for (const check of checks.slice(100)) withdraw(check);
  for (const { answer } of sent.splice(0)) answer();
  await Promise.all(outcomes.slice(0, 128));
  const late = await Promise.all(outcomes.slice(128));
  expect(late).toHaveLength(72);
  for (const outcome of late) expect(outcome).toMatchObject({ status: Status.CANCELLED });
  expect(sent.flatMap(({ keys }) => keys)).toEqual([]);
});

test('of a cluster: a part of a withdrawn check that waits is not sent', async () => {
  const sent: (() => void)[] = [];
  const client = {
    callBuffer: () => new Promise((resolve) => sent.push(() => resolve([]))),
  };
  const queue = checkQueue({
    client: client as unknown as Redis,
    timeout_ms: 10_000,
    onFailure: () => undefined,
  });
  const decide = decideAcrossSlots(queue);
  const checks = Array.from({ length: 200 }, (_, index) => checkOf(index));
  const outcomes = checks.map((check) => decide({ check, withStates: false }).catch((error) => error));
  await until(() => sent.length > 64); // two batches of 64, with a command for each slot; the others wait
  const before = sent.length;
  for (const check of checks.slice(128)) withdraw(check);
  for (const answer of sent) answer();
  for (const outcome of await Promise.all(outcomes.slice(128))) {
    expect(outcome).toMatchObject({ status: Status.CANCELLED });
  }
  expect(sent).toHaveLength(before);
});

test('of a cluster: the parts of a withdrawn set that were sent are refunded', async () => {
  const check: Check = [[...checkOf(1), ...checkOf(2)].flat()];
  const parts: BatchedCheck[] = [];
  const decide = decideAcrossSlots(async (_, part) => {
    parts.push(part);
    if (parts.length === 2) throw cancelled();
    return { denial: undefined, states: [] };
  });
  await expect(decide({ check, withStates: false })).rejects.toMatchObject({ status: Status.CANCELLED });
  expect(parts.map((part) => [part.check.flat().map(({ cost }) => cost), part.partOf])).toEqual([
    [[1], check],
    [[1], check],
    [[-1], undefined],
  ]);
});

describe('a withdrawn check', () => {
  let reason: Error;
  const policies = new FailurePolicies({
    rules: RULES.rules,
    replicas: 1,
    max_buckets: 1000,
    now_us: () => 0,
    denialFor: () => undefined,
  });

  function guardOfLostStore(): GuardedStore {
    const store = {
      decideEach: (checks: readonly Check[]) =>
        checks.map(() => nextTurn().then(() => Promise.reject(reason))),
    };
    // The guard calls nothing else of the store for checks.
    return guardedStore({
      store: store as unknown as RemoteStore,
      policies,
      log: silentLogger,
      isUp: true,
      timeout_ms: 10_000,
    });
  }

  async function withdrawTen(guarded: GuardedStore): Promise<void> {
    for (let account = 0; account < 10 && guarded.isUp(); account++) {
      const check = checkOf(account);
      const verdict = guarded.decideMany([check]);
      withdraw(check);
      expect(await verdict).toEqual([NOT_MADE]);
    }
    expect(policies.store.size()).toBe(0);
  }

  test('that was not sent is not decided by policies, and is no failure of the store', async () => {
    const guarded = guardOfLostStore();
    reason = cancelled();
    await withdrawTen(guarded);
    expect(guarded.isUp()).toBe(true);
    guarded.close();
  });

  test('that was sent in vain is a failure of the store: callers of little patience find out too', async () => {
    const guarded = guardOfLostStore();
    reason = new Error('lost');
    await withdrawTen(guarded);
    expect(guarded.isUp()).toBe(false);
    guarded.close();
  });
});
