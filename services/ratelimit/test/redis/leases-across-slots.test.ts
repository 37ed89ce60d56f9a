import { type TestRedisCluster, testRedisCluster } from '@gatehouse/dev-env/redis/redis-cluster';
import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Charge, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LeaseUndo, StepCharge } from '../../src/redis/batch.ts';
import { checkQueue } from '../../src/redis/check-queue.ts';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';
import { slotOf } from '../../src/redis/slots.ts';

const SECOND_US = 1_000_000;
const START_US = 1_700_000_000_000_000;
const five: BucketRule = { name: 'five', index: 0, ...rate(5, 60, 'concurrency') };
const one: BucketRule = { name: 'one', index: 1, ...rate(1, 60, 'concurrency') };
const ten: BucketRule = { name: 'ten', index: 2, ...rate(10, 100_000) };

describe.skipIf(noRedisProgram())('leases over several slots of a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let replicas: RedisStore[];
  let now_us = START_US;
  let run = 0;

  beforeAll(async () => {
    cluster = await testRedisCluster();
    const options = { url: cluster.url, log: silentLogger, timeout_ms: 5000, now_us: () => now_us };
    replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) replica.close();
    await cluster?.close();
  });

  /** New identities on the first and second node. */
  function parties(): [string, string] {
    run++;
    now_us = START_US;
    const on = (node: number): string => {
      for (let i = 0; ; i++) {
        const name = `account:${run}.${i}`;
        if (Math.floor((slotOf(`{${name}}`) * 3) / 16_384) === node) return name;
      }
    };
    return [on(0), on(1)];
  }
  function lease(rule: BucketRule, key: string, lease_id: string, cost = 1): Charge {
    return { rule, key, cost, lease_id };
  }
  async function decide(set: readonly Charge[], replica = 0): Promise<Decision> {
    return (await replicas[replica]?.decide([[set]]))?.[0];
  }
  async function states(...charges: Charge[]) {
    const read = (await replicas[0]?.read(charges)) ?? [];
    return read.map(({ level, empty_after_us }) => [level, empty_after_us / SECOND_US]);
  }

  test('are granted as a whole', async () => {
    const [a, b] = parties();
    expect(await decide([lease(five, a, 'x', 2), lease(one, b, 'x')])).toBeUndefined();
    expect(await states(lease(five, a, 'x'), lease(one, b, 'x'))).toEqual([
      [2, 60],
      [1, 60],
    ]);
  });

  test('are all released again when one of them is denied, beside other kinds', async () => {
    const [a, b] = parties();
    await decide([lease(one, b, 'other')]);
    const set = [lease(five, a, 'x', 2), { rule: ten, key: a, cost: 3 }, lease(one, b, 'x')];
    expect(await decide(set)).toMatchObject({ rule: one, key: b, retry_after_us: 60 * SECOND_US });
    expect(await states(...set)).toEqual([
      [0, 0],
      [0, 0],
      [1, 60],
    ]);
  });

  test('that are renewed in a denied set are what they were before: neither longer, nor released, nor of other permits', async () => {
    const [a, b] = parties();
    await decide([lease(five, a, 'x', 2)]);
    await decide([lease(one, b, 'other')]);
    now_us += 20 * SECOND_US;
    for (const cost of [1, 2, 5]) {
      expect((await decide([lease(five, a, 'x', cost), lease(one, b, 'x')]))?.rule).toEqual(one);
      expect(await states(lease(five, a, 'x'), lease(one, b, 'x'))).toEqual([
        [2, 40],
        [1, 40],
      ]);
    }
  });

  test('are renewed with fewer permits only when the whole set is admitted', async () => {
    const [a, b] = parties();
    await decide([lease(five, a, 'x', 5)]);
    expect(await decide([lease(five, a, 'x', 2), lease(one, b, 'x')])).toBeUndefined();
    expect(await states(lease(five, a, 'x'), lease(one, b, 'x'))).toEqual([
      [2, 60],
      [1, 60],
    ]);
  });

  test('that were renewed again since, in the same microsecond too, are not undone', async () => {
    const [a] = parties();
    const client = cluster.nodes[0]?.client;
    if (client === undefined) throw new Error('no node');
    const queue = checkQueue({
      client,
      now_us: () => now_us,
      timeout_ms: 5000,
      onFailure: () => undefined,
    });
    const step = (charge: StepCharge) => queue(0, { check: [[charge]], withStates: false });
    const grant = async (charge: Charge) => (await step({ ...charge, isUndoable: true })).undos?.[0];
    const undo = (charge: Charge, made?: LeaseUndo) =>
      step({ ...charge, cost: -1, ...(made && { undo: made }) });
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const charge = lease(five, a, `job ${order}`);
      const made = [await grant(charge), await grant(charge)];
      expect(made).not.toContain(undefined);
      for (const index of order) await undo(charge, made[index]);
    }
    // Undone in their order, the first one left the lease, since the second one had renewed it.
    expect(await states(lease(five, a, ''))).toEqual([[1, 60]]);
  });

  test('are released in one set', async () => {
    const [a, b] = parties();
    await decide([lease(five, a, 'x', 2), lease(one, b, 'x')]);
    expect(await decide([lease(five, a, 'x', -1), lease(one, b, 'x', -1)])).toBeUndefined();
    expect(await states(lease(five, a, 'x'), lease(one, b, 'x'))).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('never exceed a limit under many callers of two replicas, and none is left behind', async () => {
    const [a, b] = parties();
    let [heldA, heldB] = [0, 0];
    const callers = Array.from({ length: 24 }, async (_, caller) => {
      for (let i = 0; i < 15; i++) {
        const set = [lease(five, a, `${caller}.${i}`), lease(one, b, `${caller}.${i}`)];
        if ((await decide(set, caller % 2)) !== undefined) continue;
        expect(++heldA).toBeLessThanOrEqual(five.limit);
        expect(++heldB).toBeLessThanOrEqual(one.limit);
        heldA--;
        heldB--;
        await decide(
          set.map((charge) => ({ ...charge, cost: -1 })),
          caller % 2,
        );
      }
    });
    await Promise.all(callers);
    expect(await states(lease(five, a, ''), lease(one, b, ''))).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});
