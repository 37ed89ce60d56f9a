import { setImmediate as nextTurn } from 'node:timers/promises';
import { Status } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { checkQueue } from '../../src/redis/check-queue.ts';
import { openRules } from '../../src/reference/rules.ts';
import { guardedStore, type RemoteStore } from '../../src/stores/guarded-store.ts';
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

test('a withdrawn check that failed is not decided by policies, and is no failure of the store', async () => {
  const store = {
    decideEach: (checks: readonly Check[]) =>
      checks.map(() => nextTurn().then(() => Promise.reject(new Error('lost')))),
  };
  const policies = new FailurePolicies({
    rules: RULES.rules,
    replicas: 1,
    max_buckets: 1000,
    now_us: () => 0,
    denialFor: () => undefined,
  });
  // The guard calls nothing else of the store for checks.
  const guarded = guardedStore({
    store: store as unknown as RemoteStore,
    policies,
    log: silentLogger,
    isUp: true,
    timeout_ms: 10_000,
  });
  for (let account = 0; account < 10; account++) {
    const check = checkOf(account);
    const verdict = guarded.decideMany([check]);
    withdraw(check);
    expect(await verdict).toEqual([NOT_MADE]);
  }
  expect(policies.store.size()).toBe(0);
  expect(guarded.isUp()).toBe(true);
  for (let account = 0; account < 10; account++) await guarded.decideMany([checkOf(account)]);
  expect(policies.store.size()).toBe(10);
  expect(guarded.isUp()).toBe(false);
  guarded.close();
});
