import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOf } from '@gatehouse/dev-env/faults';
import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import type { Charge, Denial } from '@gatehouse/proto/ratelimit';
import { FailurePolicy, LimitKind } from '@gatehouse/proto/ratelimit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN_RULES, KEY_SECRET, LONG_TIMEOUT, type Served, startRatelimit, until } from './support.ts';

/** Rows beside those of the reference. */
const ROWS = {
  export: { kind: 'concurrency', limit: 5, window_seconds: 60, key: ['account'] },
  'export:guild': { kind: 'concurrency', limit: 8, window_seconds: 60, key: ['guild'], policy: 'closed' },
  monthly: { kind: 'fixed_window', limit: 3, window_seconds: 2_592_000, key: ['account'] },
  yearly: { limit: 5_000_000, window_seconds: 31_536_000, key: ['account'] },
  leaky: { kind: 'leaky_bucket', limit: 10, window_seconds: 1000, key: ['account'] },
};

let folder: string;
let rules_file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-kinds-'));
  rules_file = join(folder, 'rules.json');
  const rows: Record<string, unknown> = JSON.parse(await readFile(BUILT_IN_RULES, 'utf8'));
  await writeFile(rules_file, JSON.stringify({ ...rows, ...ROWS }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('in memory', () => {
  kindsOfLimits(async () => ({ replicas: [await startRatelimit({ rules_file })], close: async () => {} }));
});

describe.skipIf(redisIsMissing)('in Redis, on two replicas', () => {
  kindsOfLimits(async () => {
    const server = await testRedis();
    const config = {
      rules_file,
      redis_url: server.url,
      redis_timeout_ms: 5000,
      key_secret: KEY_SECRET,
      replicas: 2,
    };
    const replicas = await Promise.all([startRatelimit(config), startRatelimit(config)]);
    return { replicas, close: () => server.close() };
  });
});

interface Opened {
  readonly replicas: readonly Served[];
  close(): Promise<void>;
}

function kindsOfLimits(open: () => Promise<Opened>): void {
  let opened: Opened;
  let accounts = 0;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    for (const replica of opened?.replicas ?? []) await replica.close();
    await opened?.close();
  });

  function client(caller = 0) {
    const replica = opened.replicas[caller % opened.replicas.length];
    if (replica === undefined) throw new Error('no replica');
    return replica.peer.client;
  }
  function account(): string {
    return `account:${process.pid}.${++accounts}`;
  }
  function charge(bucket: string, identity: string, lease_id?: string, cost = 1): Charge {
    return { bucket, identities: [identity], cost, lease_id: lease_id ?? null };
  }
  async function check(set: readonly Charge[], caller = 0): Promise<Denial | null> {
    const { denial, degraded } = await client(caller).check({ sets: [{ charges: [...set] }] }, LONG_TIMEOUT);
    expect(degraded).toBe(false);
    return denial ?? null;
  }
  async function release(...charges: Charge[]): Promise<void> {
    await client(1).refund({ charges }, LONG_TIMEOUT);
  }
  async function peek(...charges: Charge[]) {
    return (await client().peek({ charges }, LONG_TIMEOUT)).states;
  }

  test('leases are granted, renewed and released through any replica, and denials of them are not remembered', async () => {
    const a = account();
    for (let i = 0; i < 5; i++) expect(await check([charge('export', a, `job ${i}`)], i)).toBeNull();
    expect(await check([charge('export', a, 'job 5')])).toMatchObject({ bucket: 'export', limit: 5 });
    expect(await check([charge('export', a, 'job 3')], 1)).toBeNull();
    const [full] = await peek(charge('export', a));
    expect(full).toMatchObject({ remaining: 0 });
    expect(full?.retry_after_us).toBeGreaterThan(0);
    await release(charge('export', a, 'job 3'));
    expect(await check([charge('export', a, 'job 5')])).toBeNull();
    await release(...[0, 1, 2, 4, 5].map((i) => charge('export', a, `job ${i}`, i)));
    expect(await peek(charge('export', a))).toMatchObject([{ remaining: 5, retry_after_us: 0 }]);
  });

  test('a set of all kinds is charged as a whole or not at all', async () => {
    const a = account();
    const set = (job: string) => [
      charge('leaky', a),
      charge('monthly', a),
      charge('export', a, job),
      charge('export:guild', `guild:${a}`, job, 2),
    ];
    for (let i = 0; i < 3; i++) expect(await check(set(`job ${i}`), i)).toBeNull();
    const denial = await check(set('job 3'));
    expect(denial).toMatchObject({ bucket: 'monthly', limit: 3 });
    expect(denial?.retry_after_us).toBeLessThanOrEqual(2_592_000_000_000);
    const states = await peek(...set('job 3'));
    expect(states.map(({ remaining }) => remaining)).toEqual([7, 0, 2, 2]);
    await release(charge('monthly', a));
    expect(await check(set('job 3'))).toBeNull();
    expect((await peek(...set('x'))).map(({ remaining }) => remaining)).toEqual([6, 0, 1, 0]);
  });

  test('many callers never hold more than the limit at a time', async () => {
    const a = account();
    let held = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 40 }, async (_, caller) => {
        for (let i = 0; i < 8; i++) {
          if ((await check([charge('export', a, `${caller}.${i}`)], caller)) !== null) continue;
          most = Math.max(most, ++held);
          expect(await check([charge('export', a, `${caller}.${i}`)], caller + 1)).toBeNull();
          held--;
          await release(charge('export', a, `${caller}.${i}`));
        }
      }),
    );
    expect(most).toBeLessThanOrEqual(5);
    expect(await peek(charge('export', a))).toMatchObject([{ remaining: 5 }]);
  });

  test('a leaky bucket of millions of tokens a year is exact', async () => {
    const a = account();
    expect(await check([charge('yearly', a, undefined, 4_999_999)])).toBeNull();
    expect(await check([charge('yearly', a)])).toBeNull();
    const denial = await check([charge('yearly', a, undefined, 5_000_000)]);
    // 5,000,000 tokens drain in a year, counted in ticks of a second.
    expect(denial?.retry_after_us).toBeGreaterThan(31_535_990_000_000);
    expect(denial?.retry_after_us).toBeLessThanOrEqual(31_536_000_000_000);
  });

  test('Explain says what a lease would get, and Reset ends all leases', async () => {
    const a = account();
    expect(await check([charge('export', a, 'one', 4)])).toBeNull();
    const explain = async (...charges: Charge[]) => {
      const answer = await client().explain({ check: { sets: [{ charges }] } }, LONG_TIMEOUT);
      return [answer.admitted, ...answer.explanations.map(({ admitted }) => admitted)];
    };
    expect(await explain(charge('export', a, 'two', 2))).toEqual([false, false]);
    expect(await explain(charge('export', a, 'one', 5))).toEqual([true, true]);
    expect(await explain(charge('export', a, 'two'), charge('export', a, 'three'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await explain(charge('monthly', a, undefined, 3))).toEqual([true, true]);
    await client().reset({ charges: [charge('export', a)] }, LONG_TIMEOUT);
    expect(await check([charge('export', a, 'two', 5)])).toBeNull();
  });

  test('a lease ID is required by concurrency limits, and by no other kind', async () => {
    const a = account();
    const wrong = [
      charge('export', a),
      charge('export', a, ''),
      charge('export', a, 'x'.repeat(65)),
      charge('export', a, 'ä'.repeat(33)),
      charge('leaky', a, 'job'),
      charge('monthly', a, 'job'),
    ];
    for (const named of wrong) {
      for (const call of [
        () => client().check({ sets: [{ charges: [charge('leaky', a), named] }] }, LONG_TIMEOUT),
        () => client().refund({ charges: [charge('leaky', a), named] }, LONG_TIMEOUT),
      ]) {
        const fault = await faultOf(call());
        expect(fault).toMatchObject({ reason: 'BAD_LEASE_ID' });
        expect(fault.violations[0]?.path).toMatch(/charges\.1\.lease_id$/);
      }
    }
    expect(
      await faultOf(client().peek({ charges: [charge('leaky', a, 'job')] }, LONG_TIMEOUT)),
    ).toMatchObject({
      reason: 'BAD_LEASE_ID',
    });
    const tooMany = client().check({ sets: [{ charges: [charge('export', a, 'job', 6)] }] }, LONG_TIMEOUT);
    expect(await faultOf(tooMany)).toMatchObject({ reason: 'BAD_COST' });
    expect(await peek(charge('leaky', a), charge('export', a))).toMatchObject([
      { remaining: 10 },
      { remaining: 5 },
    ]);
  });

  test('ListBuckets names the kind of each bucket', async () => {
    const { buckets } = await client().listBuckets({}, LONG_TIMEOUT);
    const kindOf = (name: string) => buckets.find((bucket) => bucket.name === name)?.kind;
    expect(kindOf('export')).toBe(LimitKind.LIMIT_KIND_CONCURRENCY);
    expect(kindOf('monthly')).toBe(LimitKind.LIMIT_KIND_FIXED_WINDOW);
    expect(kindOf('yearly')).toBe(LimitKind.LIMIT_KIND_LEAKY_BUCKET);
    expect(kindOf('global')).toBe(LimitKind.LIMIT_KIND_LEAKY_BUCKET);
  });
}

describe.skipIf(redisIsMissing)('while Redis is away', () => {
  test('leases follow the failure policies: a share of the limit in this process, or none', async () => {
    const server = await testRedis();
    const config = { rules_file, redis_url: server.url, key_secret: KEY_SECRET, replicas: 2 };
    const { peer, close } = await startRatelimit(config);
    await server.close();
    const check = async (charge: Charge) =>
      await peer.client.check({ sets: [{ charges: [charge] }] }, LONG_TIMEOUT);
    const lease = (bucket: string, lease_id: string, cost = 1): Charge => ({
      bucket,
      identities: ['account:away'],
      cost,
      lease_id,
    });
    await until(async () => (await check(lease('export', 'probe'))).degraded);
    // Two of five permits are this replica's share, and `probe` has one.
    expect((await check(lease('export', 'a'))).denial).toBeNull();
    expect(await check(lease('export', 'b'))).toMatchObject({
      degraded: true,
      denial: { bucket: 'export', limit: 5 },
    });
    expect((await check(lease('export', 'a'))).denial).toBeNull();
    expect(await check(lease('export:guild', 'a'))).toMatchObject({
      degraded: true,
      denial: { bucket: 'export:guild', retry_after_us: 1_000_000 },
    });
    const { buckets } = await peer.client.listBuckets({}, LONG_TIMEOUT);
    const closed = buckets.find(({ name }) => name === 'export:guild');
    expect(closed?.policy).toBe(FailurePolicy.FAILURE_POLICY_CLOSED);
    await close();
  });
});
