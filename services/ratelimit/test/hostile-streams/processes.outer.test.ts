import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { status as Status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { charges, KEY_SECRET, LONG_TIMEOUT, type Peer, until } from '../support.ts';
import { type RatelimitProcess, startRatelimitProcess } from './ratelimit-process.ts';
import { connectHttp2, type RawCheckStream, rawCheckStream } from './raw-check-stream.ts';

type Session = Awaited<ReturnType<typeof connectHttp2>>;

/** 20 per hour: nothing drains during a test. */
const BUCKET = 'premium:portal';
const named = (caller: string) => charges([[BUCKET, [`account:${caller}`]]]);
const sets = (caller: string) => [{ charges: named(caller) }];

describe.skipIf(noRedisProgram())('streams to processes', () => {
  let redis: RedisServer;
  let replicas: RatelimitProcess[];
  let sessions: Session[];
  let other: Peer;

  beforeEach(async () => {
    redis = await redisServer();
    const settings = {
      REDIS_URL: redis.url,
      RATELIMIT_KEY_SECRET: KEY_SECRET,
      RATELIMIT_REPLICAS: '2',
      REDIS_TIMEOUT_MS: '5000',
    };
    replicas = await Promise.all([startRatelimitProcess(settings), startRatelimitProcess(settings)]);
    sessions = await Promise.all(replicas.map(({ address }) => connectHttp2(address)));
    other = connect(RatelimitServiceDefinition, { address: replicas[1]?.address ?? '' });
  });
  afterEach(async () => {
    other?.close();
    redis?.signal('SIGCONT');
    for (const session of sessions ?? []) session.destroy();
    for (const each of replicas ?? []) each.kill('SIGKILL');
    await Promise.all((replicas ?? []).map(({ ended }) => ended));
    await redis?.close();
  });

  const first = (): { replica: RatelimitProcess; session: Session } => {
    const [replica] = replicas;
    const [session] = sessions;
    if (replica === undefined || session === undefined) throw new Error('no replica');
    return { replica, session };
  };

  /** Sends one check for each of many callers, without an end, until the stream is over. Returns the callers sent. */
  async function load(stream: RawCheckStream, name: string): Promise<string[]> {
    const callers: string[] = [];
    let over = false;
    void stream.status.then(() => {
      over = true;
    });
    while (!over) {
      for (let i = 0; i < 50; i++) {
        stream.check({ tag: callers.length, sets: sets(`${name}.${callers.length}`) });
        callers.push(`${name}.${callers.length}`);
      }
      await until(() => over || callers.length - stream.responses.length < 2_000);
    }
    return callers;
  }

  /** Whether each caller was charged, by Redis. */
  async function charged(callers: readonly string[]): Promise<boolean[]> {
    const found: boolean[] = [];
    for (let from = 0; from < callers.length; from += 16) {
      const some = callers.slice(from, from + 16).flatMap(named);
      const { states } = await other.client.peek({ charges: some }, LONG_TIMEOUT);
      found.push(...states.map(({ empty_after_us }) => empty_after_us > 0));
    }
    return found;
  }

  test('SIGTERM answers every check that was read, charges no other, and ends all streams with UNAVAILABLE', async () => {
    const { replica, session } = first();
    const streams = Array.from({ length: 8 }, () => rawCheckStream(session));
    const loads = streams.map((stream, index) => load(stream, `term${index}`));
    await until(() => streams.every(({ responses }) => responses.length > 500));
    replica.kill('SIGTERM');
    const callers = await Promise.all(loads);
    expect(new Set(await Promise.all(streams.map(({ status }) => status)))).toEqual(
      new Set([Status.UNAVAILABLE]),
    );
    expect(await replica.ended).toBe(0);
    let left = 0;
    for (const [index, stream] of streams.entries()) {
      const answered = new Set(stream.responses.map(({ tag }) => tag));
      expect(answered.size).toBe(stream.responses.length);
      expect(stream.responses.filter(({ error }) => error)).toEqual([]);
      const unanswered = (callers[index] ?? []).filter((_, tag) => !answered.has(tag));
      expect(await charged(unanswered)).not.toContain(true);
      left += unanswered.length;
    }
    expect(left).toBeGreaterThan(0); // so the load did not wait for the end
  });

  test('SIGKILL answers no check twice, and leaves the other replica with what was charged', async () => {
    const { replica, session } = first();
    const stream = rawCheckStream(session);
    for (let tag = 0; tag < 10; tag++) stream.check({ tag, sets: sets('killed') });
    await until(() => stream.responses.length > 0);
    replica.kill('SIGKILL');
    expect([undefined, Status.UNAVAILABLE]).toContain(await stream.status);
    const answered = stream.responses.length;
    const peek = async () => {
      const { states } = await other.client.peek({ charges: named('killed') }, LONG_TIMEOUT);
      return 20 - (states[0]?.remaining ?? Number.NaN);
    };
    expect(await peek()).toBeGreaterThanOrEqual(answered);
    expect(await peek()).toBeLessThanOrEqual(10);
    expect(new Set(stream.responses.map(({ tag }) => tag)).size).toBe(answered);
  });

  test('SIGTERM ends the process in time although a peer never reads, and another leaves checks open', async () => {
    const { replica, session } = first();
    const deaf = rawCheckStream(session);
    deaf.pause();
    for (let tag = 0; tag < 50_000; tag++) deaf.check({ tag, sets: sets('deaf') });
    await until(() => deaf.waitingBytes() > 0);
    redis.signal('SIGSTOP');
    const open = rawCheckStream(session);
    open.check({ tag: 1, sets: sets('open') });
    replica.kill('SIGTERM');
    // Its close has ten seconds; then it ends by itself.
    await expect(replica.ended).resolves.toBeDefined();
  });

  test('a million open checks take little memory, and all are answered', async () => {
    const { replica, session } = first();
    const stream = rawCheckStream(session);
    stream.check({ tag: 0, sets: sets('ready') });
    await stream.response(0);
    const before = replica.memory();
    redis.signal('SIGSTOP');
    const count = 1_000_000;
    for (let from = 1; from < count; from += 1000) {
      stream.check(...Array.from({ length: 1000 }, (_, i) => ({ tag: from + i, sets: sets('m') })));
    }
    // On a connection of its own: Node's client opens no streams on one with so much to send.
    const second = await connectHttp2(replica.address);
    sessions.push(second);
    const one = rawCheckStream(second);
    one.check({ tag: 1, timeout_ms: 1, sets: sets('one') });
    // Late; or decided by this process alone, once it has noticed that Redis is silent.
    expect([Status.DEADLINE_EXCEEDED, undefined]).toContain((await one.response(1)).error?.code);
    const after = replica.memory();
    if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(50_000_000);
    expect(stream.waitingBytes()).toBeGreaterThan(10_000_000);
    redis.signal('SIGCONT');
    await until(() => stream.responses.length > 10_000, 30_000);
  });
});
