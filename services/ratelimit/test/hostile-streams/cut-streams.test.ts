import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUILT_IN_RULES,
  charges,
  KEY_SECRET,
  LONG_TIMEOUT,
  type Served,
  startRatelimit,
} from '../support.ts';
import { connectHttp2, framedCheck, rawCheckStream } from './raw-check-stream.ts';

const ROW = { limit: 10_000, window_seconds: 1000, key: ['account'] };
const CUTS = 1000;
const CHECKS = 16;
const run = `${process.pid}.${Date.now()}`;

/** A set of two buckets with the same rule: they have the same level, or a set was charged in part. */
function pair(name: string) {
  const identities = [`account:${run}.${name}`];
  return charges([
    ['one', identities],
    ['two', identities],
  ]);
}

const stores = redisIsMissing ? ['memory'] : ['memory', 'Redis'];

describe.each(stores)('streams that are cut in the middle of a set, with buckets in %s', (store) => {
  let redis: TestRedis | undefined;
  let folder: string;
  let replicas: Served[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-cuts-'));
    const rules_file = join(folder, 'rules.json');
    const rows = { ...JSON.parse(await readFile(BUILT_IN_RULES, 'utf8')), one: ROW, two: ROW };
    await writeFile(rules_file, JSON.stringify(rows));
    if (store === 'Redis') redis = await testRedis();
    const shared = { redis_url: redis?.url, key_secret: KEY_SECRET, redis_timeout_ms: 5000, rules_file };
    const started =
      redis === undefined ? [startRatelimit({ rules_file })] : [1, 2].map(() => startRatelimit(shared));
    replicas = await Promise.all(started);
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((each) => each.close()));
    await redis?.close();
    await rm(folder, { recursive: true });
  });

  test(`${CUTS} cuts at random bytes charge nothing by half, and nothing that was not sent`, async () => {
    let cut = 0;
    let answered = 0;
    const cutOnce = async (index: number) => {
      const served = replicas[index % replicas.length];
      if (served === undefined) throw new Error('no replica');
      const name = `${index}`;
      const message = framedCheck({ tag: 1, sets: [{ charges: pair(name) }] }).length;
      const proxy = await cuttingProxy(served.service.address, randomInt(1, 200 + CHECKS * message));
      const session = await connectHttp2(proxy.address);
      const stream = rawCheckStream(session);
      stream.check(...Array.from({ length: CHECKS }, (_, tag) => ({ tag, sets: [{ charges: pair(name) }] })));
      stream.end();
      if ((await stream.status) === undefined) cut++;
      const responses = stream.responses.length;
      answered += responses;
      session.destroy();
      proxy.server.close();
      const { states } = await served.peer.client.peek({ charges: pair(name) }, LONG_TIMEOUT);
      const [one, two] = states.map(({ remaining }) => ROW.limit - remaining);
      expect(two).toBe(one);
      expect(one).toBeLessThanOrEqual(CHECKS);
    };
    for (let index = 0; index < CUTS; index += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => cutOnce(index + i)));
    expect(cut).toBeGreaterThan(CUTS / 2);
    expect(answered).toBeGreaterThan(0);
  });
});

/** Passes this many bytes of the client, and then destroys the connection. */
async function cuttingProxy(target: string, bytes: number): Promise<{ server: Server; address: string }> {
  const [host = '', port] = target.split(':');
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    let left = bytes;
    near.on('data', (chunk: Buffer) => {
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      far.write(passed, () => {
        if (left > 0) return;
        near.destroy();
        far.destroy();
      });
    });
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
