import { Writable } from 'node:stream';
import { Status } from '@gatehouse/kit/fault';
import { createLogger } from '@gatehouse/kit/log';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChargeTuple, LONG_TIMEOUT, type Served, startRatelimit } from '../support.ts';
import { CheckStream, reasonOf } from './check-stream.ts';

describe('a stream of checks', () => {
  let served: Served;
  let stream: CheckStream;
  let identities = 0;

  beforeEach(async () => {
    served = await startRatelimit({}, { now_us: () => 1_000_000 });
    stream = new CheckStream(served.service.address);
  });

  afterEach(async () => {
    await stream.cut();
    await served.close();
  });

  const somebody = (): ChargeTuple => ['webhook:execute', [`webhook:${++identities}`]]; // 60 per 60 s

  test('admits exactly the limit, and each response carries the tag of its check', async () => {
    const bucket = somebody();
    for (let tag = 0; tag < 100; tag++) stream.check(tag, [bucket]);
    const responses = await stream.received(100);
    expect(responses.map(({ tag }) => tag).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 100 }, (_, tag) => tag),
    );
    const denied = responses.filter(({ denial }) => denial !== null);
    expect(denied).toHaveLength(40);
    expect(denied[0]).toMatchObject({
      denial: { bucket: 'webhook:execute', limit: 60, retry_after_us: 1_000_000, empty_after_us: 60_000_000 },
      degraded: false,
    });
    expect(responses.filter(({ error }) => error !== null)).toEqual([]);
  });

  test('ends with OK when the client ends its requests, after all responses', async () => {
    for (let tag = 0; tag < 500; tag++) stream.check(tag, [somebody()]);
    expect(await stream.end()).toMatchObject({ code: Status.OK });
    expect(stream.responses).toHaveLength(500);
  });

  test('goes on after an invalid check, which charges nothing', async () => {
    const bucket = somebody();
    stream.check(1, [bucket, ['no-such-bucket', ['x']]]);
    stream.check(2, [bucket, ['webhook:execute', ['webhook:other'], 61]]);
    stream.check(3, [bucket]);
    const [unknown, tooMuch, admitted] = await stream.received(3);
    expect(unknown).toMatchObject({ tag: 1, error: { code: Status.INVALID_ARGUMENT } });
    expect(unknown && reasonOf(unknown)).toContain('UNKNOWN_BUCKET');
    expect(unknown && reasonOf(unknown)).toContain('sets.0.charges.1.bucket');
    expect(tooMuch && reasonOf(tooMuch)).toContain('BAD_COST');
    expect(admitted).toMatchObject({ tag: 3, denial: null, error: null });
    const { states } = await served.peer.client.peek(
      { charges: [{ bucket: bucket[0], identities: bucket[1] }] },
      LONG_TIMEOUT,
    );
    expect(states).toMatchObject([{ remaining: 59 }]);
  });

  test('a check without a tag is answered without one', async () => {
    stream.send({ sets: [] });
    const [response] = await stream.received(1);
    expect(response).toMatchObject({ tag: null, error: null });
  });

  test('a check that has no time is not made', async () => {
    const bucket = somebody();
    stream.check(1, [bucket], { timeout_ms: 0 });
    stream.check(2, [bucket], { timeout_ms: 10_000 });
    const [late, admitted] = await stream.received(2);
    expect(late).toMatchObject({ tag: 1, error: { code: Status.DEADLINE_EXCEEDED } });
    expect(admitted).toMatchObject({ tag: 2, error: null });
  });

  test('open streams and their open checks are metrics', async () => {
    let logged = '';
    const destination = new Writable({
      write: (chunk, _, done) => {
        logged += chunk;
        done();
      },
    });
    const log = createLogger({ name: 'ratelimit', destination });
    const observed = await startRatelimit({ metrics_listen: '127.0.0.1:0' }, { log });
    const first = new CheckStream(observed.service.address);
    first.check(1, [somebody()]);
    await first.received(1);
    const [, address = ''] = /"metrics":"([^"]+)"/.exec(logged) ?? [];
    const metrics = await (await fetch(`http://${address}/metrics`)).text();
    expect(metrics).toMatch(/^ratelimit_check_streams 1$/m);
    expect(metrics).toMatch(/^ratelimit_stream_checks 0$/m);
    expect(metrics).toMatch(/^ratelimit_checks_total 1$/m);
    await first.end();
    await observed.close();
  });

  test('is counted like other checks', async () => {
    stream.check(1, [somebody()]);
    await stream.received(1);
    expect(await served.peer.client.getStatistics({}, LONG_TIMEOUT)).toMatchObject({
      checks: 1,
      buckets: [{ bucket: 'webhook:execute', admitted: 1, denied: 0 }],
    });
  });
});
