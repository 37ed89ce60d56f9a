import { type SteppedClock, steppedClock } from '@gatehouse/dev-env/processes/stepped-clock';
import { testRedisCluster } from '@gatehouse/dev-env/redis/redis-cluster';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denialOf, startRatelimit, until } from '../support.ts';
import { adminOf } from './admin-support.ts';
import { UNHURRIED } from './stores.ts';

const HOUR_MS = 3_600_000;

const clock = steppedClock();
if (clock === undefined)
  process.stderr.write('SKIPPED: stepping Redis’s own clock needs a C compiler (cc) on PATH\n');

describe.skipIf(clock === undefined || noRedisProgram())('a Redis whose own clock steps', () => {
  let stepped: SteppedClock;
  let server: RedisServer;

  beforeAll(async () => {
    if (clock === undefined) throw new Error('these tests are skipped');
    stepped = clock;
    server = await redisServer({ env: stepped.env });
  });
  afterAll(async () => {
    await server?.close();
    clock?.close();
  });

  test('ends an override by that clock, and one that is set afterwards holds after a step back', async () => {
    const replica = await startRatelimit({ ...UNHURRIED, redis_url: server.url });
    const admin = adminOf(replica);
    const isExempt = async () =>
      (await denialOf(
        replica.peer,
        [['premium:portal', ['account:1'], 20]],
        [['premium:portal', ['account:1']]],
      )) === null;
    await admin.set('account:1', { exempt: true, expires_at_ms: Date.now() + HOUR_MS });
    expect(await isExempt()).toBe(true);
    stepped.step(2 * HOUR_MS);
    await until(async () => !(await isExempt()));
    expect(await admin.list()).toMatchObject({ overrides: [] });
    await expect(admin.set('account:1', { exempt: true })).rejects.toMatchObject({ reason: 'BAD_OVERRIDE' });
    await admin.set('account:1', { exempt: true, expires_at_ms: Date.now() + 3 * HOUR_MS });
    expect(await isExempt()).toBe(true);
    stepped.step(-HOUR_MS);
    await until(async () => (await admin.list()).overrides.length === 1);
    expect(await isExempt()).toBe(true);
    admin.close();
    await replica.close();
  });
});

describe.skipIf(noRedisProgram())('a Redis Cluster', () => {
  test('keeps overrides and resets in one of its slots', async () => {
    const cluster = await testRedisCluster();
    const replica = await startRatelimit({ ...UNHURRIED, redis_url: cluster.url });
    const admin = adminOf(replica);
    expect(await denialOf(replica.peer, [['premium:portal', ['account:1'], 20]])).toBeNull();
    for (let n = 0; n < 20; n++) await admin.set(`account:${n}`, { limit: 30, window_seconds: 3600 });
    expect((await admin.list()).overrides).toHaveLength(20);
    expect(await denialOf(replica.peer, [['premium:portal', ['account:1'], 10]])).toBeNull();
    expect(await admin.reset('account:1')).toEqual(['premium:portal account:1']);
    expect(await admin.remove('account:1')).toMatchObject({ limit: 30 });
    admin.close();
    await replica.close();
    await cluster.close();
  });
});
