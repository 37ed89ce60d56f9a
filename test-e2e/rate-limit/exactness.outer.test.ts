import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { until } from '@gatehouse/dev-env/until';
import { protoRoot } from '@gatehouse/proto/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainClient } from './callers/plain-client.ts';
import { type Charged, chargedBuckets, excessOf, total } from './exactness/excess.ts';
import { callerPrograms } from './exactness/languages.ts';
import { limitOf } from './exactness/limits.ts';
import { makeOutageSteps, makeSteps } from './exactness/make-steps.ts';
import { type CallerProgram, type Play, play } from './exactness/play.ts';
import type { CallerPlan, StepRecord } from './exactness/records.ts';
import { type Replicas, startReplicas } from './exactness/replicas.ts';

const CALLERS = 64;
const CHECKS = 100_000;
const TIMEOUT_MS = 30_000;
/** The checks of all callers take two minutes on two busy processors. */
const LONG_MS = 300_000;
const SEED = Number(process.env.GATEHOUSE_FUZZ_SEED ?? Date.now() % 1_000_000);

describe.skipIf(noRedisProgram())('64 callers of two replicas on one Redis', () => {
  let folder: string;
  let programs: readonly CallerProgram[];
  let redis: RedisServer;
  let replicas: Replicas;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-callers-'));
    programs = await callerPrograms(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    redis = await redisServer();
    replicas = await startReplicas(redis.url);
  });
  afterEach(async () => {
    await replicas?.close();
    await redis?.close();
  });

  /** Each language plays its part of the callers, and each of these calls one replica. */
  async function playAll(stepsOf: (caller: number) => CallerPlan['steps']) {
    const plans = Array.from({ length: CALLERS }, (_, id): CallerPlan => {
      const address = replicas.addresses[Math.floor(id / programs.length) % 2] ?? '';
      return { id, address, steps: stepsOf(id) };
    });
    const plays = await Promise.all(
      programs.map((program, index) => {
        const callers = plans.filter(({ id }) => id % programs.length === index);
        return play(program, { proto_root: protoRoot, timeout_ms: TIMEOUT_MS, callers });
      }),
    );
    return { plans, plays };
  }

  test(
    'admit no token too many in 100,000 checks of all kinds, and a denied set charges nothing',
    async () => {
      process.stdout.write(`exactness: GATEHOUSE_FUZZ_SEED=${SEED}\n`);
      const each = Math.ceil(CHECKS / CALLERS);
      const started_ms = performance.now();
      const { plans, plays } = await playAll((caller) => makeSteps(caller, each, SEED));
      const records = (await Promise.all(plays.map(({ ended }) => ended))).flat();
      const checks = records.filter(({ result }) => result !== 'refunded');
      expect(checks.length).toBeGreaterThanOrEqual(CHECKS);
      expect(records.filter(({ result, degraded }) => result === 'failed' || degraded === true)).toEqual([]);

      const buckets = chargedBuckets(plans, records);
      const used = [...buckets.values()].filter(
        ({ admitted, leases }) => admitted.length > 0 || isHeld(leases),
      );
      expect(new Set(used.map(({ bucket }) => limitOf(bucket).kind)).size).toBe(3);
      const excess = [...buckets].map(([name, charged]) => [name, excessOf(charged)]);
      expect(Object.fromEntries(excess.filter(([, tokens]) => tokens !== 0))).toEqual({});
      await expectLevels(buckets, started_ms);
    },
    LONG_MS,
  );

  /** Buckets in which hardly anything drains hold what was admitted and not refunded, and no more. */
  async function expectLevels(buckets: ReturnType<typeof chargedBuckets>, started_ms: number): Promise<void> {
    const client = plainClient(replicas.addresses[0] ?? '', protoRoot);
    for (const [name, charged] of buckets) {
      const { kind, window_seconds } = limitOf(charged.bucket);
      if (window_seconds < 3600) continue;
      const identities = name.split(' ').slice(1);
      const [state] = await client.peek([{ bucket: charged.bucket, identities }], TIMEOUT_MS);
      const used = (state?.limit ?? 0) - (state?.remaining ?? 0);
      if (charged.leases.size > 0) {
        // Only a refused renewal of a lease whose release followed leaves one behind.
        expect(used, name).toBe(0);
        continue;
      }
      const { least, most } = netOf(charged, kind === 'fixed_window' ? startOfWindow(window_seconds) : 0);
      expect(used, name).toBeLessThanOrEqual(most);
      const seconds = (performance.now() - started_ms) / 1000;
      const drained = kind === undefined ? ((state?.limit ?? 0) * seconds) / window_seconds : 0;
      expect(used, name).toBeGreaterThanOrEqual(Math.floor(least - drained));
    }
    client.close();
  }

  test('admit during an outage of Redis what each failure policy allows, and are exact again after it', async () => {
    const { plans, plays } = await playAll((caller) => makeOutageSteps(caller, 1000));
    const count = () => plays.reduce((sum, { records }) => sum + records.length, 0);
    await until('checks before the outage', TIMEOUT_MS, () => count() > 5000 || undefined);
    const killing_us = Date.now() * 1000;
    await redis.kill();
    const dead_us = (Date.now() + 1) * 1000;
    const before = count();
    await until('checks in the outage', TIMEOUT_MS, () => count() > before + 8000 || undefined);
    const starting_us = Date.now() * 1000;
    await redis.start();
    await until('decisions of Redis', TIMEOUT_MS, () => plays.every(isExact) || undefined);
    const after = count();
    await until('checks after the outage', TIMEOUT_MS, () => count() > after + 5000 || undefined);
    for (const each of plays) each.stop();
    const records = (await Promise.all(plays.map(({ ended }) => ended))).flat();
    expect(records.filter(({ result }) => result === 'failed')).toEqual([]);

    expectExactBy(
      plans,
      records.filter((each) => each.degraded === false && each.start_us < killing_us),
    );
    expectExactBy(
      plans,
      records.filter((each) => each.degraded === false && each.start_us >= starting_us),
    );
    for (const address of replicas.addresses) expectShare(address, plans, records);
    const during = records.filter((each) => each.start_us >= dead_us && each.end_us <= starting_us);
    expectPolicies(plans, during);
    expectTotals(plans, records);
  });
});

function isHeld(leases: Charged['leases']): boolean {
  return [...leases.values()].some((calls) => calls.some(({ granted }) => granted));
}

/** In microseconds. */
function startOfWindow(window_seconds: number): number {
  const window_us = window_seconds * 1_000_000;
  return Math.floor((Date.now() * 1000) / window_us) * window_us;
}

/**
 * What a bucket may hold that counts from a time on. A refund of a charge from before returns what the bucket has, perhaps
 * less.
 */
function netOf({ admitted, refunded }: Charged, since_us: number): { least: number; most: number } {
  const after = admitted.filter(({ start_us }) => start_us >= since_us);
  const refunds = refunded.filter(({ end_us }) => end_us >= since_us);
  const least = total(after) - total(refunds);
  if (after.length === admitted.length) {
    expect(least).toBeGreaterThan(0);
    return { least, most: least };
  }
  return { least, most: total(admitted.filter(({ end_us }) => end_us >= since_us)) };
}

/** Whether its last record was decided by Redis. */
function isExact({ records }: Play): boolean {
  return records.at(-1)?.degraded !== true;
}

function expectExactBy(plans: readonly CallerPlan[], records: readonly StepRecord[]): void {
  expect(records.length).toBeGreaterThan(0);
  for (const [name, charged] of chargedBuckets(plans, records)) expect(excessOf(charged), name).toBe(0);
}

/** While Redis is away, each replica admits its share. */
function expectShare(address: string, plans: readonly CallerPlan[], records: readonly StepRecord[]): void {
  const callers = new Set(plans.filter((plan) => plan.address === address).map(({ id }) => id));
  const local = records.filter(({ caller, degraded }) => degraded === true && callers.has(caller));
  const buckets = chargedBuckets(plans, local);
  expect([...buckets.values()].some(({ bucket, admitted }) => bucket === 'leaky:slow' && admitted[0])).toBe(
    true,
  );
  for (const [name, charged] of buckets) {
    const { policy, limit } = limitOf(charged.bucket);
    if (policy === undefined) expect(excessOf(charged, Math.floor(limit / 2)), name).toBe(0);
  }
}

/** By all callers: the limit of each of the two Redis, and of the replicas’ shares, and what drains in a minute. */
function expectTotals(plans: readonly CallerPlan[], records: readonly StepRecord[]): void {
  for (const [name, { bucket, admitted }] of chargedBuckets(plans, records)) {
    const { limit, window_seconds } = limitOf(bucket);
    const most = 3 * (limit + Math.ceil((limit * 60) / window_seconds));
    if (bucket === 'leaky:slow') expect(total(admitted), name).toBeLessThanOrEqual(most);
  }
}

/** Open buckets admit everything, closed ones nothing, and what is admitted is marked. */
function expectPolicies(plans: readonly CallerPlan[], during: readonly StepRecord[]): void {
  const byBucket = Map.groupBy(during, ({ caller, step }) => {
    const made = plans.find(({ id }) => id === caller)?.steps[step];
    return made !== undefined && 'check' in made ? made.check[0]?.[0]?.[0] : undefined;
  });
  const open = byBucket.get('open:one') ?? [];
  const closed = byBucket.get('closed:many') ?? [];
  expect(Math.min(open.length, closed.length)).toBeGreaterThan(100);
  expect(open.filter(({ result }) => result !== 'admitted')).toEqual([]);
  expect(closed.filter(({ result }) => result !== 'denied')).toEqual([]);
  const byRedis = during.filter(({ result, degraded }) => result === 'admitted' && degraded === false);
  expect(byRedis).toEqual([]);
}
