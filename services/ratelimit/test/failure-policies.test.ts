import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOf } from '@gatehouse/dev-env/faults';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { Status } from '@gatehouse/kit/fault';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHANGED_POLICIES, degradedContract, REPLICAS } from './degraded-contract.ts';
import { type RedisProxy, redisProxy } from './redis-proxy.ts';
import {
  BUILT_IN_RULES,
  type ChargeTuple,
  charges,
  check,
  denialOf,
  KEY_SECRET,
  LONG_TIMEOUT,
  type Peer,
  request,
  type Served,
  startRatelimit,
  until,
} from './support.ts';

/** The timeout of Redis: long enough for an answer on a busy machine. */
const LONG_TIMEOUT_MS = 5_000;
/** Short enough for a test, and long enough to show whether a check waits. */
const SHORT_MS = 100;

const run = `${process.pid}.${Date.now()}`;
let identities = 0;
const somebody = (): string => `account:${run}:${++identities}`;

describe.skipIf(redisIsMissing)('while Redis cannot be reached', () => {
  let redis: TestRedis;
  let folder: string;
  let rules_file: string;
  let proxy: RedisProxy;
  let served: Served;
  let peer: Peer;

  beforeAll(async () => {
    redis = await testRedis();
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-rules-'));
    rules_file = join(folder, 'rules.json');
    const rows = JSON.parse(await readFile(BUILT_IN_RULES, 'utf8')) as Record<string, object>;
    for (const [name, policy] of Object.entries(CHANGED_POLICIES)) rows[name] = { ...rows[name], policy };
    await writeFile(rules_file, JSON.stringify(rows));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await redis.close();
  });

  beforeEach(async () => {
    proxy = await redisProxy(redis.url);
    await open(LONG_TIMEOUT_MS);
  });

  afterEach(async () => {
    await served.close();
    await proxy.close();
  });

  async function open(redis_timeout_ms: number): Promise<void> {
    served = await startRatelimit({
      redis_url: proxy.url,
      key_secret: KEY_SECRET,
      rules_file,
      replicas: REPLICAS,
      redis_timeout_ms,
    });
    peer = served.peer;
    await until(async () => !(await check(peer, [['guild:list', [somebody()]]])).degraded);
  }

  const up = async (): Promise<boolean> => (await peer.client.getStatistics({}, LONG_TIMEOUT)).store_up;

  test.each(['cut', 'hang'] as const)(
    'a %s connection: every check is marked, soon none waits, and a second after it is back none is marked',
    async (harm) => {
      await served.close();
      await open(SHORT_MS);
      const waits_ms: number[] = [];
      const ask = async () => {
        const took_ms = processStopwatch();
        expect(await check(peer, [['guild:list', [somebody()]]])).toMatchObject({
          denial: null,
          degraded: true,
        });
        waits_ms.push(took_ms());
      };
      await proxy[harm]();
      await until(async () => {
        await ask();
        return !(await up());
      });
      for (let i = 0; i < 60; i++) await ask();
      expect(Math.max(...waits_ms)).toBeLessThan(2 * SHORT_MS);
      expect(waits_ms.filter((wait_ms) => wait_ms > SHORT_MS / 2).length).toBeLessThanOrEqual(5);

      await proxy.restore();
      const took_ms = processStopwatch();
      await until(async () => !(await check(peer, [['guild:list', [somebody()]]])).degraded);
      expect(took_ms()).toBeLessThan(1000);
      expect(await up()).toBe(true);
      const { degraded } = await peer.client.getStatistics({}, LONG_TIMEOUT);
      expect(degraded).toBeGreaterThanOrEqual(waits_ms.length);
    },
  );

  describe('it decides', () => {
    beforeEach(() => proxy.cut());
    degradedContract(() => async (sets) => {
      const { denial, degraded } = await peer.client.check({ sets }, LONG_TIMEOUT);
      expect(degraded).toBe(true);
      return denial ?? undefined;
    });
  });

  test('a policy’s denial is not remembered once the store is back', async () => {
    await proxy.cut();
    const closed: ChargeTuple = ['report', [somebody()]];
    expect(await denialOf(peer, [closed])).not.toBeNull();
    await proxy.restore();
    await until(async () => !(await check(peer, [['guild:list', [somebody()]]])).degraded);
    expect(await check(peer, [closed])).toMatchObject({ denial: null, degraded: false });
  });

  test('a remembered denial holds while the store is down, and is not marked', async () => {
    const closed: ChargeTuple = ['report', [somebody()]];
    expect(await denialOf(peer, [[closed[0], closed[1], 10]])).toBeNull();
    expect(await denialOf(peer, [closed])).toMatchObject({ bucket: 'report' });
    await proxy.cut();
    const answer = await check(peer, [closed]);
    expect(answer.degraded).toBe(false);
    expect(answer.denial?.retry_after_us).toBeGreaterThan(300_000_000); // a token of 10 per hour
  });

  test('slowmode and profile changes are decided too, and marked', async () => {
    await proxy.cut();
    const slow = { account_id: somebody(), channel_id: '1', interval_seconds: 60 };
    expect(await peer.client.takeSlowmode(slow, LONG_TIMEOUT)).toEqual({
      retry_after_us: null,
      degraded: true,
    });
    for (const again of [
      await peer.client.peekSlowmode(slow, LONG_TIMEOUT),
      await peer.client.takeSlowmode(slow, LONG_TIMEOUT),
    ]) {
      expect(again.retry_after_us).toBeGreaterThan(55_000_000);
      expect(again.degraded).toBe(true);
    }
    const profile = { account_id: somebody(), guild_id: null, fields: [1 as const] };
    expect(await peer.client.takeProfileChanges(profile, LONG_TIMEOUT)).toEqual({
      denial: null,
      degraded: true,
    });
  });

  test('RPCs that need the store itself are UNAVAILABLE', async () => {
    await proxy.cut();
    const named = { charges: charges([['report', [somebody()]]]) };
    for (const call of [
      () => peer.client.peek(named, LONG_TIMEOUT),
      () => peer.client.refund(named, LONG_TIMEOUT),
      () => peer.client.reset(named, LONG_TIMEOUT),
      () => peer.client.explain({ check: request([['report', [somebody()]]]) }, LONG_TIMEOUT),
    ]) {
      expect(await faultOf(call())).toMatchObject({ status: Status.UNAVAILABLE });
    }
  });

  test('a service that starts while Redis is down decides by policies until it answers', async () => {
    await proxy.cut();
    const late = await startRatelimit({
      redis_url: proxy.url,
      key_secret: KEY_SECRET,
      redis_timeout_ms: LONG_TIMEOUT_MS,
    });
    try {
      const list: ChargeTuple = ['guild:list', [somebody()]];
      expect(await check(late.peer, [list])).toMatchObject({ denial: null, degraded: true });
      await proxy.restore();
      await until(async () => !(await check(late.peer, [['guild:list', [somebody()]]])).degraded);
    } finally {
      await late.close();
    }
  });

  test('rules that change meanwhile apply to failure policies too', async () => {
    const copy = join(folder, 'changing.json');
    await copyFile(rules_file, copy);
    const changing = await startRatelimit({ redis_url: proxy.url, key_secret: KEY_SECRET, rules_file: copy });
    try {
      await proxy.cut();
      const closed: ChargeTuple = ['report', [somebody()]];
      expect(await denialOf(changing.peer, [closed])).not.toBeNull();
      const rows = JSON.parse(await readFile(copy, 'utf8')) as Record<string, object>;
      rows.report = { ...rows.report, policy: 'local' };
      await writeFile(copy, JSON.stringify(rows));
      await until(async () => (await denialOf(changing.peer, [closed])) === null);
    } finally {
      await changing.close();
    }
  });
});
