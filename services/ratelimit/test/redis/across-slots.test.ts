import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { type TestRedisCluster, testRedisCluster } from '@gatehouse/dev-env/redis/redis-cluster';
import type { RedisServer } from '@gatehouse/dev-env/redis/redis-server';
import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { Status } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';

import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Charge, Check, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';
import { slotOf } from '../../src/redis/slots.ts';
import { KEY_SECRET, LONG_TIMEOUT, request, startRatelimit, until } from '../support.ts';
import { commandCalls } from './command-calls.ts';

const SLOTS = 16_384;
/** Slow enough that nothing drains during a test. */
const ten: BucketRule = { name: 'ten', index: 0, ...rate(10, 100_000) };
const one: BucketRule = { name: 'one', index: 1, ...rate(1, 100_000) };

describe.skipIf(noRedisProgram())('a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let replicas: RedisStore[];
  let run = 0;

  beforeAll(async () => {
    cluster = await testRedisCluster();
    const options = { url: cluster.url, log: silentLogger, timeout_ms: 2000 };
    replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) replica.close();
    await cluster?.close();
  });

  /** New identities on the first, second and third node. */
  function parties(): [string, string, string] {
    run++;
    const on = (node: number): string => {
      for (let i = 0; ; i++) {
        const name = `account:${run}.${i}`;
        if (Math.floor((slotOf(`{${name}}`) * 3) / SLOTS) === node) return name;
      }
    };
    return [on(0), on(1), on(2)];
  }
  function charge(rule: BucketRule, key: string, cost = 1): Charge {
    return { rule, key, cost };
  }
  async function decide(check: Check, replica = 0): Promise<Decision> {
    return (await replicas[replica]?.decide([check]))?.[0];
  }
  async function tokens(...charges: Charge[]): Promise<number[]> {
    const states = (await replicas[0]?.read(charges)) ?? [];
    return states.map(({ level, rule }) => Math.ceil(level / rule.window_us));
  }
  async function calls(command: string): Promise<number[]> {
    return Promise.all(cluster.nodes.map(({ client }) => commandCalls(client, command)));
  }

  /** Waits until a newly started replica charges a bucket. */
  async function startsAndCharges(name: string): Promise<void> {
    const store = await openRedisStore({ url: cluster.url, log: silentLogger, timeout_ms: 100 });
    const check: Check = [[charge(ten, name)]];
    try {
      const charges = () =>
        store.decide([check]).then(
          () => true,
          () => false,
        );
      await expect.poll(charges, { interval: 10 }).toBe(true);
    } finally {
      store.close();
    }
  }

  test('has the slots that slotOf computes', async () => {
    const keys = ['', 'a', '123456789', 'rl:{account:1}:global', '{}x', '{', 'a{b', '{a}{b}', '}{ä}', '{{a}'];
    for (const key of keys) expect(slotOf(key)).toBe(await cluster.nodes[0]?.client.cluster('KEYSLOT', key));
  });

  test("charges a party's buckets, also of several sets, in one command on one node", async () => {
    const [a] = parties();
    const before = await calls('evalsha');
    expect(await decide([[charge(ten, a)], [charge(one, a), charge(ten, `${a}|channel:1`)]])).toBeUndefined();
    const after = await calls('evalsha');
    expect(after.map((count, node) => count - (before[node] ?? 0))).toEqual([1, 0, 0]);
  });

  test('charges a set over three nodes whole', async () => {
    const [a, b, c] = parties();
    expect(await decide([[charge(ten, a, 2), charge(ten, b, 3), charge(one, c)]])).toBeUndefined();
    expect(await tokens(charge(ten, a), charge(ten, b), charge(one, c))).toEqual([2, 3, 1]);
  });

  test('refunds the other parts of a denied set, and keeps earlier sets charged', async () => {
    const [a, b, c] = parties();
    await decide([[charge(one, c), charge(ten, b, 4)]]);
    const denial = await decide([
      [charge(ten, a)],
      [charge(ten, a, 5), charge(ten, b), charge(one, c)],
      [charge(ten, b)],
    ]);
    expect(denial).toMatchObject({ rule: one, key: c });
    expect(await tokens(charge(ten, a), charge(ten, b), charge(one, c))).toEqual([1, 4, 1]);
  });

  test('reports the longest wait of several nodes, and peeks and refunds like one server', async () => {
    const [a, b, c] = parties();
    await decide([[charge(ten, a, 10), charge(one, b)]]);
    expect(await decide([[charge(ten, a), charge(one, b), charge(ten, c)]])).toMatchObject({
      rule: one,
      key: b,
    });
    expect(await decide([[charge(ten, a, 0), charge(ten, c)]])).toMatchObject({ rule: ten, key: a });
    expect(await tokens(charge(ten, c))).toEqual([0]);
    expect(await decide([[charge(ten, c, -5), charge(ten, a, -3)]])).toBeUndefined();
    expect(await decide([[charge(ten, a, -7), charge(one, b)]])).toMatchObject({ rule: one });
    expect(await tokens(charge(ten, a), charge(one, b), charge(ten, c))).toEqual([7, 1, 0]);
  });

  test('reads the buckets on their nodes, admitted or denied, and those of one node in the command that decides', async () => {
    const [a, b, c] = parties();
    const read = async (check: Check) => {
      const outcome = await replicas[0]?.decideAndRead(check);
      const levels = outcome?.states.map(({ rule, key, level }) => [
        `${rule.name} ${key}`,
        Math.ceil(level / rule.window_us),
      ]);
      return { denied: outcome?.denial?.rule.name, levels: new Map(levels as [string, number][]) };
    };
    const before = await calls('evalsha');
    expect(await read([[charge(ten, a)], [charge(one, a), charge(ten, a, 2)]])).toEqual({
      denied: undefined,
      levels: new Map([
        [`ten ${a}`, 3],
        [`one ${a}`, 1],
      ]),
    });
    const after = await calls('evalsha');
    expect(after.map((count, node) => count - (before[node] ?? 0))).toEqual([1, 0, 0]);
    expect(await read([[charge(ten, a)], [charge(ten, a, -2), charge(ten, b, 3), charge(one, c)]])).toEqual({
      denied: undefined,
      levels: new Map([
        [`ten ${a}`, 2],
        [`ten ${b}`, 3],
        [`one ${c}`, 1],
      ]),
    });
    const denied = [
      [charge(ten, a)],
      [charge(ten, a, -2), charge(ten, b, 3), charge(one, c)],
      [charge(one, b)],
    ];
    expect(await read(denied)).toEqual({
      denied: 'one',
      levels: new Map([
        [`ten ${a}`, 3],
        [`ten ${b}`, 3],
        [`one ${c}`, 1],
        [`one ${b}`, 0],
      ]),
    });
    expect(await tokens(charge(ten, a), charge(ten, b), charge(one, c), charge(one, b))).toEqual([
      3, 3, 1, 0,
    ]);
  });

  test('admits no more than each bucket’s limit with overlapping sets, and keeps no lost charge', async () => {
    const names = parties();
    const set = (i: number) => [0, 1].map((n) => charge(ten, names[(i + n) % 3] ?? ''));
    const admitted = [0, 0, 0];
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        for (let i = 0; i < 12; i++) {
          if ((await decide([set(client + i)], i % 2)) !== undefined) continue;
          for (const n of [0, 1]) admitted[(client + i + n) % 3] = (admitted[(client + i + n) % 3] ?? 0) + 1;
        }
      }),
    );
    expect(await tokens(...names.map((name) => charge(ten, name)))).toEqual(admitted);
    expect(Math.max(...admitted)).toBeLessThanOrEqual(10);
    expect(Math.min(...admitted)).toBeGreaterThan(0);
  });

  test('loads its script again on a node that forgot it', async () => {
    const [a, b, c] = parties();
    await cluster.nodes[1]?.client.script('FLUSH');
    expect(await decide([[charge(ten, a), charge(ten, b), charge(ten, c)]])).toBeUndefined();
    expect(await tokens(charge(ten, a), charge(ten, b), charge(ten, c))).toEqual([1, 1, 1]);
  });

  test('empties buckets on several nodes', async () => {
    const [a, b, c] = parties();
    const charges = [charge(ten, a, 3), charge(ten, b, 4), charge(one, c)];
    await decide([charges]);
    await replicas[0]?.reset(charges);
    expect(await tokens(...charges)).toEqual([0, 0, 0]);
  });

  test('follows a slot that moved, and charges once', async () => {
    const [a] = parties();
    const ids = await Promise.all(cluster.nodes.map(({ client }) => client.call('CLUSTER', 'MYID')));
    for (const { client } of cluster.nodes) {
      await client.call('CLUSTER', 'SETSLOT', slotOf(`{${a}}`), 'NODE', String(ids[2]));
    }
    expect(await decide([[charge(ten, a, 2)]])).toBeUndefined();
    expect(await tokens(charge(ten, a))).toEqual([2]);
    expect(await cluster.nodes[2]?.client.exists(`rl:{${a}}:ten`)).toBe(1);
  });

  test('that lost a node serves the others, fails in time, and recovers within a second of its return', async () => {
    const [a, b, c] = parties();
    const timeout_ms = 300;
    const store = await openRedisStore({ url: cluster.url, log: silentLogger, timeout_ms });
    const lost = cluster.nodes[1] as RedisServer; // there are three
    try {
      lost.signal('SIGSTOP');
      const waits_ms: number[] = [];
      const answers = await Promise.allSettled(
        [a, b, c].map(async (name) => {
          const took_ms = processStopwatch();
          await store.decide([[[charge(ten, name)]]]).finally(() => waits_ms.push(took_ms()));
        }),
      );
      // Twice the timeout (for the wait to be sent, and for the answer), and some more.
      expect(Math.max(...waits_ms)).toBeLessThan(2 * timeout_ms + 100);
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      // Late, or at once if its silence is noticed by now.
      await expect(store.decide([[[charge(ten, a), charge(ten, b)]]])).rejects.toMatchObject({
        status: expect.toBeOneOf([Status.DEADLINE_EXCEEDED, Status.UNAVAILABLE]),
      });
      await store.ping();
      expect(await tokens(charge(ten, a))).toEqual([1]);
      await startsAndCharges(a);
      lost.signal('SIGCONT');
      const took_ms = processStopwatch();
      const serves = () =>
        store.decide([[[charge(ten, b)]]]).then(
          () => true,
          () => false,
        );
      await expect.poll(serves, { interval: 10 }).toBe(true);
      expect(took_ms()).toBeLessThan(1000);
    } finally {
      lost.signal('SIGCONT');
      store.close();
    }
  });

  test('that lost a node: failure policies decide only the checks on that node', async () => {
    const lost = cluster.nodes[1] as RedisServer; // there are three
    const served = await startRatelimit({
      redis_url: cluster.url,
      key_secret: KEY_SECRET,
      replicas: 10,
      redis_timeout_ms: 2_000,
    });
    const { client } = served.peer;
    const askOf = async (names: readonly string[]) => {
      const checks = names.map((name) => request([['report', [name], 10]]));
      const { answers } = await client.checkMany({ checks }, LONG_TIMEOUT);
      return answers.map(({ denial, degraded }) => [denial === null ? 'admitted' : 'denied', degraded]);
    };
    try {
      await until(async () => (await askOf(parties())).every(([, degraded]) => degraded === false));
      lost.signal('SIGSTOP');
      for (let round = 0; round < 7; round++) {
        const [a, b, c] = parties();
        expect(await askOf([a, b, c, a])).toEqual([
          ['admitted', false],
          ['admitted', true],
          ['admitted', false],
          ['denied', false],
        ]);
      }
      expect((await client.getStatistics({}, LONG_TIMEOUT)).store_up).toBe(true);
    } finally {
      lost.signal('SIGCONT');
      await served.close();
    }
  });

  test('that lost a node: the store still decides checks on the others, however many fail', async () => {
    const lost = cluster.nodes[1] as RedisServer; // there are three
    // So patient that only checks of the lost node fail, on a busy machine too.
    const served = await startRatelimit({
      redis_url: cluster.url,
      key_secret: KEY_SECRET,
      replicas: 10,
      redis_timeout_ms: 5_000,
    });
    const { client } = served.peer;
    let channels = 0; // each its own, so that no denial is remembered
    const isDegraded = async (name: string) => {
      const bucket = request([['channel:read', [name, `channel:${++channels}`]]]);
      return (await client.check(bucket, LONG_TIMEOUT)).degraded;
    };
    const [a, b, c] = parties();
    try {
      await until(async () => !(await isDegraded(a)) && !(await isDegraded(b)));
      lost.signal('SIGSTOP');
      let isNoticed = false;
      const first = isDegraded(b).finally(() => {
        isNoticed = true;
      });
      while (!isNoticed) expect(await isDegraded(a)).toBe(false);
      expect(await first).toBe(true);
      for (let round = 0; round < 20; round++) {
        // Now that its silence is noticed there is no connection to it, and its checks fail at once: in a row.
        for (let n = 0; n < 10; n++) expect(await isDegraded(b)).toBe(true);
        expect(await Promise.all([a, c].map(isDegraded))).toEqual([false, false]);
      }
      expect((await client.getStatistics({}, LONG_TIMEOUT)).store_up).toBe(true);
    } finally {
      lost.signal('SIGCONT');
      await served.close();
    }
  });
});
