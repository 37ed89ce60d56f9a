import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { until } from '@gatehouse/dev-env/until';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import { type Descriptor, descriptor, type EnvoyClient, envoyClient } from './envoy-client.ts';

/** A token of it takes hours to drain, so that a test's own time does not matter. */
const slow = (account: string, more: Omit<Descriptor, 'entries'> = {}) =>
  descriptor('username_change', [['account', `account:envoy:${process.pid}:${account}`]], more);

function startWith(redis_url: string): Promise<Running> {
  const RATELIMIT_KEY_SECRET = 'a secret of thirty-two characters';
  const env = {
    LISTEN: '127.0.0.1:0',
    LOG_LEVEL: 'silent',
    REDIS_URL: redis_url,
    REDIS_TIMEOUT_MS: '10000', // these are about Redis's own decisions, however busy the machine
    RATELIMIT_KEY_SECRET,
  };
  return start(readConfig(env), { log: silentLogger });
}

describe.skipIf(redisIsMissing)('on one Redis', () => {
  let redis: TestRedis;
  let replicas: Running[];
  let clients: EnvoyClient[];

  beforeAll(async () => {
    redis = await testRedis();
    replicas = await Promise.all([startWith(redis.url), startWith(redis.url)]);
    clients = replicas.map(({ address }) => envoyClient(address));
    // Until a replica has reached Redis, its failure policies decide.
    for (const [replica] of clients.entries()) {
      await until('the replica has reached Redis', 30_000, async () =>
        (await ask(replica, slow('start'))).dynamic_metadata === null ? true : undefined,
      );
    }
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.close();
  });

  const ask = async (replica: number, ...descriptors: Descriptor[]) => {
    const answer = await clients[replica]?.ask(descriptors);
    if (answer === undefined) throw new Error('there is no such replica');
    return answer;
  };

  test('two replicas admit exactly the limit', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i % 2, slow('shared'))));
    expect(answers.filter(({ overall_code }) => overall_code === 'OK')).toHaveLength(5);
    expect(answers.every(({ dynamic_metadata }) => dynamic_metadata === null)).toBe(true);
  });

  test('a refund takes effect at once, although the denial was remembered', async () => {
    await ask(0, slow('back', { hits_addend: { value: 5 } }));
    expect(await ask(0, slow('back'))).toMatchObject({ overall_code: 'OVER_LIMIT' });
    const refund = { hits_addend: { value: 1 }, is_negative_hits: true };
    expect(await ask(0, slow('back', refund))).toMatchObject({ statuses: [{ limit_remaining: 1 }] });
    expect(await ask(0, slow('back'))).toMatchObject({
      overall_code: 'OK',
      statuses: [{ limit_remaining: 0 }],
    });
  });

  test('a decision and the states after it take one script', async () => {
    const states: (number | undefined)[] = [];
    const scripts = await scriptsIn(redis.url, async () => {
      for (let i = 0; i < 6; i++)
        states.push((await ask(0, slow('one script'))).statuses[0]?.limit_remaining);
    });
    expect(states).toEqual([4, 3, 2, 1, 0, 0]);
    expect(scripts).toBe(6);
  });

  test('a flood on a denied key runs no script, and still gets the whole 429', async () => {
    await ask(0, slow('flood', { hits_addend: { value: 5 } }));
    await ask(0, slow('flood'));
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    const scripts = await scriptsIn(redis.url, async () => {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => ask(0, slow('flood'))))));
    });
    expect(scripts).toBe(0);
    for (const { overall_code, statuses, raw_body, response_headers_to_add } of answers) {
      expect(overall_code).toBe('OVER_LIMIT');
      expect(statuses).toMatchObject([{ code: 'OVER_LIMIT', limit_remaining: 0 }]);
      expect(JSON.parse(raw_body.toString())).toMatchObject({ code: 'RATE_LIMITED' });
      expect(response_headers_to_add).toHaveLength(8);
    }
  });
});

/** The number of scripts that decide checks in the course of `work`. Replicas also look for overrides, by another one. */
async function scriptsIn(url: string, work: () => Promise<void>): Promise<number> {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port || 6379), hostname).setEncoding('utf8');
  let seen = '';
  socket.on('data', (text: string) => {
    seen += text;
  });
  await once(socket, 'connect');
  socket.write(`${password ? `AUTH ${password}\r\n` : ''}MONITOR\r\n`);
  await until('the server shows commands', 10_000, async () => seen.includes('+OK\r\n') || undefined);
  await work();
  const client = new Redis(url);
  await client.echo('the end');
  client.disconnect();
  await until('the end', 10_000, async () => seen.includes('"the end"') || undefined);
  socket.destroy();
  return seen.split('\n').filter((line) => /\] "eval(sha)?"/i.test(line) && !line.includes('{overrides}'))
    .length;
}

test('while the store cannot be reached, policies decide, and the answer is marked', async () => {
  const service = await startWith(`redis://127.0.0.1:${await freePort()}`);
  const client = envoyClient(service.address);
  try {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await client.ask([slow('degraded')]));
    expect(answers.map(({ overall_code }) => overall_code)).toEqual([...Array(5).fill('OK'), 'OVER_LIMIT']);
    for (const { dynamic_metadata } of answers) {
      expect(dynamic_metadata?.fields.degraded).toMatchObject({ boolValue: true });
    }
    expect(answers[0]?.statuses).toEqual([
      { code: 'OK', current_limit: null, limit_remaining: 0, duration_until_reset: null },
    ]);
  } finally {
    client.close();
    await service.close();
  }
});
