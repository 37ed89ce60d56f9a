import { Writable } from 'node:stream';
import { faultOf } from '@gatehouse/dev-env/faults';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { createLogger } from '@gatehouse/kit/log';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChargeTuple,
  charges,
  check,
  denialOf,
  KEY_SECRET,
  LONG_TIMEOUT,
  type Peer,
  peerOf,
  request,
  type Served,
  startRatelimit,
  until,
} from './support.ts';

/** These tests are about Redis's decisions: on a busy machine, failure policies must not decide. */
const UNHURRIED = { redis_timeout_ms: 5_000 };
const run = `${process.pid}.${Date.now()}`;
let identities = 0;
const somebody = (): string => `account:${run}:${++identities}`;

describe.skipIf(redisIsMissing)('two replicas on one Redis', () => {
  let redis: TestRedis;
  let admin: Redis;
  let first: Served;
  let second: Served;

  beforeAll(async () => {
    redis = await testRedis();
    admin = new Redis(redis.url);
  });

  afterAll(async () => {
    admin.disconnect();
    await redis.close();
  });

  beforeEach(async () => {
    const shared = { redis_url: redis.url, key_secret: KEY_SECRET, replicas: 2, ...UNHURRIED };
    [first, second] = await Promise.all([startRatelimit(shared), startRatelimit(shared)]);
  });

  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
  });

  test('eight clients are admitted exactly the limit, and then exactly what drains', async () => {
    const peers = [first, second].flatMap(({ service }) => Array.from({ length: 4 }, () => peerOf(service)));
    const bucket: ChargeTuple = ['premium:portal', [somebody()]]; // 20 per hour: nothing drains meanwhile
    const ask = (times: number) =>
      Promise.all(Array.from({ length: times }, (_, i) => check(peers[i % peers.length] as Peer, [bucket])));
    const burst = await ask(160);
    expect(burst.filter(({ degraded }) => degraded)).toEqual([]);
    expect(burst.filter(({ denial }) => denial === null)).toHaveLength(20);

    await first.peer.client.refund({ charges: charges([[bucket[0], bucket[1], 5]]) }, LONG_TIMEOUT);
    // The replica with the refund has forgotten its denials; the other's hold until their wait is over.
    const again = await Promise.all(Array.from({ length: 20 }, () => denialOf(first.peer, [bucket])));
    expect(again.filter((denial) => denial === null)).toHaveLength(5);
    for (const peer of peers) peer.close();
  });

  test('eight clients are admitted the limit and what drains: no token is lost or admitted twice', async () => {
    const peers = [first, second].flatMap(({ service }) => Array.from({ length: 4 }, () => peerOf(service)));
    const bucket: ChargeTuple = ['webhook:read', [somebody()]]; // 100, and 10 per second
    const drained = (from_ms: number, to_ms: number) => (10 * (to_ms - from_ms)) / 1000;
    const startedAt = performance.now();
    // So many that the bucket is not empty when the others begin, however late: an empty one drains no further.
    expect(await denialOf(first.peer, [[bucket[0], bucket[1], 50]])).toBeNull();
    const chargedAt = performance.now();
    let admitted = 50;
    await Promise.all(
      peers.map(async (peer) => {
        while (performance.now() - startedAt < 1000) {
          if ((await denialOf(peer, [bucket])) === null) admitted++;
        }
      }),
    );
    const peekedAt = performance.now();
    const { states } = await first.peer.client.peek({ charges: charges([bucket]) }, LONG_TIMEOUT);
    const tokens = admitted + (states[0]?.remaining ?? Number.NaN);
    expect(tokens).toBeLessThanOrEqual(100 + drained(startedAt, performance.now()));
    expect(tokens).toBeGreaterThan(100 + drained(chargedAt, peekedAt) - 1);
    for (const peer of peers) peer.close();
  });

  test('a flood on a denied key costs Redis no command', async () => {
    const bucket: ChargeTuple = ['premium:portal', [somebody()]];
    const seen = await watching(admin);
    expect(await denialOf(first.peer, [[bucket[0], bucket[1], 20]])).toBeNull();
    const denied = await denialOf(first.peer, [bucket]);
    await until(() => seen.commands(bucket[1]) === 2); // the charge, and the denial that is remembered
    for (let round = 0; round < 4; round++) {
      const many = await first.peer.client.checkMany(
        { checks: Array.from({ length: 250 }, () => request([bucket])) },
        LONG_TIMEOUT,
      );
      for (const { denial, degraded } of many.answers) {
        expect(denial?.bucket).toBe('premium:portal');
        expect(denial?.retry_after_us).toBeLessThanOrEqual(denied?.retry_after_us ?? 0);
        expect(degraded).toBe(false);
      }
    }
    const other: ChargeTuple = ['premium:portal', [somebody()]];
    await denialOf(first.peer, [other]);
    await until(() => seen.commands(other[1]) === 1); // so MONITOR has shown all earlier commands too
    expect(seen.commands(bucket[1])).toBe(2);
    expect((await first.peer.client.getStatistics({}, LONG_TIMEOUT)).remembered).toBe(1000);
    seen.close();
  });

  test('a remembered denial applies only to its own bucket, to its cost or more, and to a first set of one', async () => {
    const bucket: ChargeTuple = ['premium:portal', [somebody()], 3];
    expect(await denialOf(first.peer, [[bucket[0], bucket[1], 18]])).toBeNull();
    expect(await denialOf(first.peer, [bucket])).not.toBeNull();
    expect(await denialOf(first.peer, [[bucket[0], [somebody()], 3]])).toBeNull();
    expect(await denialOf(first.peer, [[bucket[0], bucket[1], 1]])).toBeNull();
    // Earlier sets are still charged.
    const client = somebody();
    expect(await denialOf(first.peer, [['oauth:token', [client], 120]], [bucket])).not.toBeNull();
    expect(await denialOf(first.peer, [['oauth:token', [client]]])).toMatchObject({ bucket: 'oauth:token' });
  });

  test('of several buckets that deny, the longest wait is reported although a shorter one is remembered', async () => {
    const account = somebody();
    const short: ChargeTuple = ['guild:create', [account]]; // a token drains in 6 s
    const long: ChargeTuple = ['premium:portal', [account]]; // in 180 s
    expect(await denialOf(first.peer, [[short[0], short[1], 10]])).toBeNull();
    expect(await denialOf(first.peer, [short, long])).toMatchObject({ bucket: 'guild:create' });
    expect(await denialOf(second.peer, [[long[0], long[1], 20]])).toBeNull();
    expect(await denialOf(first.peer, [short, long])).toMatchObject({ bucket: 'premium:portal' });
  });

  test('a reset ends a remembered denial in its process', async () => {
    const bucket: ChargeTuple = ['premium:portal', [somebody()], 20];
    expect(await denialOf(first.peer, [bucket])).toBeNull();
    expect(await denialOf(first.peer, [bucket])).not.toBeNull();
    await first.peer.client.reset({ charges: charges([bucket]) }, LONG_TIMEOUT);
    expect(await denialOf(first.peer, [bucket])).toBeNull();
  });

  test('Explain reports the bucket’s level, and that a remembered denial applies', async () => {
    const bucket: ChargeTuple = ['premium:portal', [somebody()], 20];
    await denialOf(first.peer, [bucket]);
    await denialOf(first.peer, [bucket]);
    const { explanations, admitted, store } = await first.peer.client.explain(
      { check: request([bucket]) },
      LONG_TIMEOUT,
    );
    expect({ admitted, store }).toEqual({ admitted: false, store: 'redis' });
    expect(explanations).toHaveLength(1);
    expect(explanations[0]).toMatchObject({ set: 0, cost: 20, admitted: false, remembered: true });
    expect(explanations[0]?.state?.remaining).toBe(0);
    const elsewhere = await second.peer.client.explain({ check: request([bucket]) }, LONG_TIMEOUT);
    expect(elsewhere.explanations[0]).toMatchObject({ admitted: false, remembered: false });
  });

  test('a URL whose layout cannot be served ends the start', async () => {
    const redis_url = redis.url.replace('redis://', 'redis+cluster://');
    await expect(startRatelimit({ redis_url, key_secret: KEY_SECRET })).rejects.toThrow('REDIS_URL: ');
  });

  test('an e-mail address, a login name and an Authorization header reach no key, no metric and no log', async () => {
    let logged = '';
    const destination = new Writable({
      write: (chunk, _, done) => {
        logged += String(chunk);
        done();
      },
    });
    const email = `planted-${run}@example.com`;
    const loud = await startRatelimit(
      { redis_url: redis.url, key_secret: KEY_SECRET, metrics_listen: '127.0.0.1:0', ...UNHURRIED },
      { log: createLogger({ name: 'ratelimit', level: 'trace', destination }) },
    );
    const ip = somebody();
    const headers: ChargeTuple[] = [
      ['global', [`Bearer planted.${run}`]],
      ['user:read', [`planted_${run}`, 'user:1']],
      ['oauth:introspect', [`Basic planted${run}`]],
      ['oauth_dev:clients:list', [`Bot planted:${run}`]],
    ];
    expect(await denialOf(loud.peer, headers)).toBeNull();
    const email_charge: ChargeTuple = ['registration:email', [email]];
    expect(
      await denialOf(loud.peer, [email_charge, ['auth:login:email', [email]], ['login:ip', [ip]]]),
    ).toBeNull();
    for (let i = 0; i < 5; i++) await denialOf(loud.peer, [email_charge]);
    await faultOf(check(loud.peer, [['registration:email', [email, email]]]));
    // All replicas with the secret make the same key, and nobody can read the identity back.
    expect(await denialOf(second.peer, [email_charge])).toMatchObject({ bucket: 'registration:email' });
    const metrics = await (await fetch(`http://${metricsAddress(logged)}/metrics`)).text();
    await loud.close();

    const keys = await allKeys(admin);
    expect(keys.some((key) => key.includes(ip))).toBe(true);
    expect(metrics).toContain('ratelimit_denials_total{bucket="registration:email"}');
    for (const text of [...keys, metrics, logged]) {
      expect(text).not.toContain('planted');
      expect(text).not.toContain('example.com');
    }
    for (const text of [metrics, logged]) expect(text).not.toContain(ip);
  });
});

/** Counts Redis's commands that contain an identity. */
async function watching(redis: Redis): Promise<{ commands(identity: string[]): number; close(): void }> {
  const monitor = await redis.monitor();
  const lines: string[] = [];
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua') lines.push(args.join(' '));
  });
  return {
    commands: (identity) => lines.filter((line) => line.includes(`{${identity.join('|')}}`)).length,
    close: () => monitor.disconnect(),
  };
}

async function allKeys(redis: Redis): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of redis.scanStream({ match: 'rl:*' })) keys.push(...(some as string[]));
  return keys;
}

/** The service logs the address of its metrics at its start. */
function metricsAddress(log: string): string {
  const [, address = ''] = /"metrics":"([^"]+)"/.exec(log) ?? [];
  return address;
}
