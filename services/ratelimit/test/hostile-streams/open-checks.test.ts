import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { status as Status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { charges, KEY_SECRET, LONG_TIMEOUT, type Served, startRatelimit, until } from '../support.ts';
import { connectHttp2, type RawCheckStream, rawCheckStream, reasonOf } from './raw-check-stream.ts';

/** 20 per hour. */
const named = (account: string) => charges([['premium:portal', [`account:${account}`]]]);
const sets = (account: string) => [{ charges: named(account) }];

/** While Redis is stopped, checks stay open. */
describe.skipIf(noRedisProgram())('open checks of a stream', () => {
  let redis: RedisServer;
  let served: Served;
  let session: Awaited<ReturnType<typeof connectHttp2>>;
  let stream: RawCheckStream;

  beforeEach(async () => {
    redis = await redisServer();
    served = await startRatelimit({ redis_url: redis.url, key_secret: KEY_SECRET, redis_timeout_ms: 10_000 });
    session = await connectHttp2(served.service.address);
    stream = rawCheckStream(session);
    stream.check({ tag: 0, sets: sets('ready') });
    await stream.response(0);
  });
  afterEach(async () => {
    redis?.signal('SIGCONT');
    session?.destroy();
    await served?.close();
    await redis?.close();
  });

  /** Tokens that were charged, once all that was sent to Redis has been decided. */
  async function chargedTo(account: string): Promise<number> {
    const { states } = await served.peer.client.peek({ charges: named(account) }, LONG_TIMEOUT);
    return 20 - (states[0]?.remaining ?? Number.NaN);
  }

  test('a second check of an open tag is refused and charges nothing; a decided tag is free', async () => {
    redis.signal('SIGSTOP');
    stream.check({ tag: 1, sets: sets('first') }, { tag: 1, sets: sets('second') });
    await until(() => stream.responses.length === 2);
    expect(stream.responses[1]).toMatchObject({ tag: 1, error: { code: Status.INVALID_ARGUMENT } });
    expect(reasonOf(stream.responses[1])).toBe('DUPLICATE_TAG');
    redis.signal('SIGCONT');
    await until(() => stream.responses.length === 3);
    expect(stream.responses[2]).toMatchObject({ tag: 1, error: null });
    stream.check({ tag: 1, sets: sets('first') });
    await until(() => stream.responses.length === 4);
    expect(stream.responses[3]).toMatchObject({ tag: 1, error: null });
    expect([await chargedTo('first'), await chargedTo('second')]).toEqual([2, 0]);
  });

  test('a cancelled check gets no response, and its tag is free at once', async () => {
    redis.signal('SIGSTOP');
    stream.check(
      { tag: 1, sets: sets('cancelled') },
      { tag: 1, cancel: true },
      { tag: 1, sets: sets('next') },
    );
    stream.check({ tag: 2, sets: sets('last') }, { tag: 3, cancel: true }, { tag: 2, cancel: true });
    stream.check({ tag: 4, sets: sets('end') });
    redis.signal('SIGCONT');
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses.map(({ tag }) => tag).sort()).toEqual([0, 1, 4]);
    expect([await chargedTo('next'), await chargedTo('end')]).toEqual([1, 1]);
    expect(await chargedTo('cancelled')).toBeLessThanOrEqual(1);
  });

  test('a cancel of an unknown or answered tag does nothing', async () => {
    stream.check({ tag: 0, cancel: true }, { tag: 77, cancel: true }, { cancel: true });
    stream.check({ tag: 77, sets: sets('after') });
    expect(await stream.response(77)).toMatchObject({ error: null });
    expect(stream.responses).toHaveLength(2);
  });

  test('a deadline ends its check alone; the longest possible one ends none early', async () => {
    redis.signal('SIGSTOP');
    stream.check(
      { tag: 1, timeout_ms: 2 ** 32 - 1, sets: sets('long') },
      { tag: 2, timeout_ms: 30, sets: sets('short') },
      { tag: 3, timeout_ms: 0, sets: sets('none') },
      { tag: 4, timeout_ms: 2 ** 31, sets: sets('long') },
    );
    for (const tag of [2, 3]) expect((await stream.response(tag)).error?.code).toBe(Status.DEADLINE_EXCEEDED);
    // By now a timer that overflowed would have fired.
    stream.check({ tag: 5, timeout_ms: 30, sets: sets('short') });
    expect((await stream.response(5)).error?.code).toBe(Status.DEADLINE_EXCEEDED);
    expect(stream.responses.map(({ tag }) => tag).sort()).toEqual([0, 2, 3, 5]);
    redis.signal('SIGCONT');
    for (const tag of [1, 4]) expect(await stream.response(tag)).toMatchObject({ error: null });
    expect(await chargedTo('none')).toBe(0);
    expect(stream.responses).toHaveLength(6); // a late decision is no second response
  });

  test('of 20,000 checks at once, at most 1,024 are read before the first is decided', async () => {
    redis.signal('SIGSTOP');
    const count = 20_000;
    for (let from = 1; from <= count; from += 1000) {
      stream.check(...Array.from({ length: 1000 }, (_, i) => ({ tag: from + i, sets: sets(`many ${i}`) })));
    }
    // The wrong check behind them would be answered at once if it were read.
    stream.check({ tag: count + 1, sets: [{ charges: charges([['nothing', ['x']]]) }] });
    const other = rawCheckStream(session);
    other.check({ tag: 1, sets: [{ charges: charges([['nothing', ['x']]]) }] });
    expect((await other.response(1)).error?.code).toBe(Status.INVALID_ARGUMENT);
    expect(stream.waitingBytes()).toBeGreaterThan(0);
    expect(stream.responses).toHaveLength(1);
    redis.signal('SIGCONT');
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses).toHaveLength(count + 2);
    expect(stream.responses.filter(({ error }) => error)).toHaveLength(1);
  });

  test('a stream that is cut with open checks leaves no error behind, and its checks count', async () => {
    redis.signal('SIGSTOP');
    stream.check(...Array.from({ length: 10 }, (_, tag) => ({ tag: tag + 1, sets: sets('cut') })));
    const other = rawCheckStream(session);
    other.check({ tag: 1, timeout_ms: 1, sets: sets('other') });
    await other.response(1); // so the others have been read
    session.destroy();
    await stream.status;
    redis.signal('SIGCONT');
    session = await connectHttp2(served.service.address);
    stream = rawCheckStream(session);
    stream.check({ tag: 1, sets: sets('after') });
    await stream.response(1);
    expect(await chargedTo('cut')).toBeLessThanOrEqual(10);
  });
});
