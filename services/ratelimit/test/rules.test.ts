import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { faultOf } from '@gatehouse/dev-env/faults';
import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { createLogger } from '@gatehouse/kit/log';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  BUILT_IN_RULES,
  type ChargeTuple,
  check,
  denialOf,
  KEY_SECRET,
  LONG_TIMEOUT,
  type Peer,
  type Served,
  startRatelimit,
  until,
} from './support.ts';

type Rows = Record<string, { limit?: number; window_seconds?: number; [member: string]: unknown }>;

let folder: string;
let rules_file: string;
let rows: Rows;
let served: Served;
let peer: Peer;
let now_us: number;
let logged: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-rules-'));
  rules_file = join(folder, 'rules.json');
  rows = JSON.parse(await readFile(BUILT_IN_RULES, 'utf8')) as Rows;
  await writeFile(rules_file, JSON.stringify(rows));
  now_us = 1_000_000;
  logged = '';
  const destination = new Writable({
    write: (chunk, _, done) => {
      logged += String(chunk);
      done();
    },
  });
  const log = createLogger({ name: 'ratelimit', level: 'info', destination });
  served = await startRatelimit({ rules_file }, { now_us: () => now_us, log });
  peer = served.peer;
});

afterEach(async () => {
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

const revision = async (): Promise<string> => (await peer.client.listBuckets({}, LONG_TIMEOUT)).revision;

/** Writes the rows, has them read at once, and waits until they apply. */
async function reload(): Promise<void> {
  const before = await revision();
  await writeFile(rules_file, JSON.stringify(rows));
  process.emit('SIGHUP');
  await until(async () => (await revision()) !== before);
}

test('a changed file is found without a signal', async () => {
  rows.report = { ...rows.report, limit: 11 };
  const before = await revision();
  await writeFile(rules_file, JSON.stringify(rows));
  await until(async () => (await revision()) !== before);
  const { buckets } = await peer.client.listBuckets({}, LONG_TIMEOUT);
  expect(buckets.find(({ name }) => name === 'report')).toMatchObject({ limit: 11 });
  expect(logged).toContain('"changed":["report"]');
});

test('a level is carried over: charges stay under a higher limit', async () => {
  const report: ChargeTuple = ['report', ['account:1']];
  expect(await denialOf(peer, [['report', ['account:1'], 10]])).toBeNull();
  rows.report = { ...rows.report, limit: 12 };
  await reload();
  expect(await denialOf(peer, [report])).toBeNull();
  expect(await denialOf(peer, [report])).toBeNull();
  expect(await denialOf(peer, [report])).toMatchObject({ limit: 12 });
});

test('a lowered limit leaves a full bucket, which drains at the new rate', async () => {
  expect(await denialOf(peer, [['report', ['account:1'], 10]])).toBeNull();
  rows.report = { ...rows.report, limit: 4, window_seconds: 8 };
  await reload();
  expect(await denialOf(peer, [['report', ['account:1']]])).toMatchObject({
    retry_after_us: 2_000_000,
    empty_after_us: 8_000_000,
  });
  now_us += 2_000_000;
  expect(await denialOf(peer, [['report', ['account:1']]])).toBeNull();
});

test('a removed row is unknown, and comes back empty', async () => {
  const report: ChargeTuple = ['report', ['account:1'], 10];
  expect(await denialOf(peer, [report])).toBeNull();
  const { report: row, ...others } = rows;
  rows = others;
  await reload();
  expect(await faultOf(check(peer, [report]))).toMatchObject({ reason: 'UNKNOWN_BUCKET' });
  if (row !== undefined) rows.report = row;
  await reload();
  expect(await denialOf(peer, [report])).toBeNull();
});

test('an invalid file changes nothing, and its errors are logged', async () => {
  const before = await revision();
  for (const [text, problem] of [
    ['{ "report": ', 'not JSON'],
    [JSON.stringify({ ...rows, report: { ...rows.report, limit: 0 } }), 'report: limit must be'],
    [JSON.stringify({ ...rows, 'login:ip': { ...rows['login:ip'], policy: 'open' } }), 'never open'],
  ] as const) {
    await writeFile(rules_file, text);
    process.emit('SIGHUP');
    await until(() => logged.includes(problem));
    expect(await revision()).toBe(before);
    expect(await denialOf(peer, [['report', ['account:2']]])).toBeNull();
  }
  await rm(rules_file);
  process.emit('SIGHUP');
  await until(() => logged.includes('ENOENT'));
  expect(await revision()).toBe(before);
});

test('under load every check is answered, by the old rules or by the new', async () => {
  let isDone = false;
  let answered = 0;
  const limits = new Set<number>();
  const load = Array.from({ length: 8 }, async (_, client) => {
    for (let i = 0; !isDone; i++) {
      const denial = await denialOf(peer, [['report', [`account:${client}:${i % 20}`], 6]]);
      if (denial !== null && denial !== undefined) limits.add(denial.limit);
      answered++;
    }
  });
  for (let limit = 11; limit < 16; limit++) {
    rows.report = { ...rows.report, limit };
    await reload();
    const seen = answered;
    await until(() => answered > seen + 200);
  }
  isDone = true;
  await Promise.all(load);
  expect([...limits].every((limit) => limit >= 10 && limit < 16)).toBe(true);
  expect(limits.size).toBeGreaterThan(1);
});

test('a service does not start with invalid rules', async () => {
  await writeFile(rules_file, JSON.stringify({ ...rows, report: { limit: 1 } }));
  await expect(startRatelimit({ rules_file })).rejects.toThrow('  - report: window_seconds');
});

describe.skipIf(redisIsMissing)('on Redis', () => {
  test('levels are carried over, and a denial remembered under the old rules ends', async () => {
    const redis = await testRedis();
    const shared = await startRatelimit({
      rules_file,
      redis_url: redis.url,
      key_secret: KEY_SECRET,
      redis_timeout_ms: 5_000,
    });
    const report: ChargeTuple = ['report', [`account:${process.pid}.${Date.now()}`]];
    try {
      expect(await denialOf(shared.peer, [[report[0], report[1], 10]])).toBeNull();
      expect(await denialOf(shared.peer, [report])).toMatchObject({ limit: 10 });
      rows.report = { ...rows.report, limit: 12 };
      await reload(); // of both services: the signal is the process's
      expect(await denialOf(shared.peer, [report])).toBeNull();
      expect(await denialOf(shared.peer, [report])).toBeNull();
      expect(await denialOf(shared.peer, [report])).toMatchObject({ limit: 12 });
    } finally {
      await shared.close();
      await redis.close();
    }
  });
});
