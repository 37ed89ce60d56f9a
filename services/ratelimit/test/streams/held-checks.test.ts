import { setTimeout as delay } from 'node:timers/promises';
import { Status } from '@gatehouse/kit/fault';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChargeTuple, request, until } from '../support.ts';
import { CheckStream, reasonOf } from './check-stream.ts';
import { HeldDecisions } from './held-decisions.ts';
import { rawCheckStream } from './raw-check-stream.ts';

const bucketOf = (account: string | number): ChargeTuple => ['premium:portal', [`account:${account}`]];

describe('a stream of checks that are not decided yet', () => {
  let held: HeldDecisions;
  let stream: CheckStream;

  beforeEach(async () => {
    held = await HeldDecisions.start();
    stream = new CheckStream(held.address);
  });

  afterEach(async () => {
    await stream.cut();
    await held.close();
  });

  /** Decides until the stream has so many responses. */
  async function decideUntil(count: number): Promise<void> {
    await until(() => {
      held.decide();
      return stream.responses.length >= count;
    });
  }

  test('has at most 1,024 open checks, and reads the others afterwards', async () => {
    for (let tag = 0; tag < 3000; tag++) stream.check(tag, [bucketOf(tag)]);
    await until(() => held.open === 1024);
    let most = 0;
    await until(() => {
      most = Math.max(most, held.open, held.waiting);
      held.decide();
      return stream.responses.length === 3000;
    });
    expect(most).toBe(1024);
    expect(new Set(stream.responses.map(({ tag }) => tag)).size).toBe(3000);
    expect(held.open).toBe(0);
  });

  test('reads no further check of a million, and memory stays bounded', async () => {
    const raw = rawCheckStream(held.address);
    const before = process.memoryUsage().rss;
    let taken = 0;
    let ended = false;
    const writing = (async () => {
      for (; taken < 1_000_000 && !ended; taken++)
        await raw.write({ ...request([bucketOf('flood')]), tag: taken });
    })().catch(() => undefined); // cut below
    for (let last = -1; taken !== last || held.open < 1024; ) {
      last = taken;
      await delay(200);
    }
    expect(held.waiting).toBe(1024);
    expect(taken).toBeLessThan(10_000); // what fits into the windows of HTTP/2
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    ended = true;
    await raw.cut();
    await writing;
    await until(() => held.open === 0 && held.streams === 1);
  });

  test('cancelled and late checks count until they are decided, so that nobody makes more than 1,024', async () => {
    for (let tag = 0; tag < 1024; tag++) stream.check(tag, [bucketOf(tag)], { timeout_ms: 20 });
    stream.check(5000, [bucketOf('next')]);
    await stream.received(1024); // all are late
    expect(held.open).toBe(0);
    expect(held.waiting).toBe(1024);
    held.decide();
    await until(() => held.open === 1);
    expect(held.waiting).toBe(1);
  });

  test('a check that is not decided in time is answered, once, and its tag is free again', async () => {
    stream.check(7, [bucketOf('late')], { timeout_ms: 20 });
    stream.check(8, [bucketOf('patient')]);
    const [late] = await stream.received(1);
    expect(late).toMatchObject({ tag: 7, denial: null, error: { code: Status.DEADLINE_EXCEEDED } });
    stream.check(7, [bucketOf('again')]);
    await until(() => held.open === 2);
    held.decide();
    expect(await stream.end()).toMatchObject({ code: Status.OK });
    expect(stream.responses.slice(1)).toMatchObject([
      { tag: 8, error: null },
      { tag: 7, error: null },
    ]);
    expect(held.made).toHaveLength(2);
  });

  test('deadlines pass in their order, whatever the order of the checks', async () => {
    for (const [tag, timeout_ms] of [3_000, 50, 2 ** 32 - 1, 1_500].entries())
      stream.check(tag, [bucketOf(tag)], { timeout_ms });
    const late = await stream.received(3);
    expect(late.map(({ tag }) => tag)).toEqual([1, 3, 0]);
    held.decide();
    expect((await stream.received(4))[3]).toMatchObject({ tag: 2, error: null });
  });

  test('a tag of an open check is refused, and the open check stays', async () => {
    stream.check(1, [bucketOf('first')]);
    stream.check(1, [bucketOf('second')]);
    const [refused] = await stream.received(1);
    expect(refused).toMatchObject({ tag: 1, error: { code: Status.INVALID_ARGUMENT } });
    expect(refused && reasonOf(refused)).toContain('DUPLICATE_TAG');
    await decideUntil(2);
    expect(stream.responses[1]).toMatchObject({ tag: 1, denial: null, error: null });
    expect(held.made).toHaveLength(1);
  });

  test('a cancelled check gets no response, charges nothing, and frees its tag', async () => {
    for (let tag = 0; tag < 100; tag++) stream.check(tag, [bucketOf(tag)]);
    await until(() => held.open === 100);
    for (let tag = 0; tag < 100; tag += 2) stream.withdraw(tag);
    stream.withdraw(999); // no check has it
    await until(() => held.open === 50);
    stream.check(0, [bucketOf('again')]);
    await until(() => held.open === 51);
    held.decide();
    expect(await stream.end()).toMatchObject({ code: Status.OK });
    const tags = stream.responses.map(({ tag }) => tag).sort((a, b) => Number(a) - Number(b));
    expect(tags).toEqual([0, ...Array.from({ length: 50 }, (_, index) => index * 2 + 1)]);
    expect(held.made).toHaveLength(51);
  });

  test('a check that arrives with its cancellation is not made', async () => {
    const raw = rawCheckStream(held.address);
    const check = { ...request([bucketOf('regretted')]), tag: 1 };
    await raw.write(check, { sets: [], tag: 1, cancel: true }, { ...check, tag: 2 });
    await until(() => held.open === 1);
    held.decide();
    expect(held.made).toHaveLength(1);
    await raw.cut();
  });

  test('a cut stream leaves no open check, and the checks that were not made charge nothing', async () => {
    for (let tag = 0; tag < 100; tag++) stream.check(tag, [bucketOf(tag)]);
    await until(() => held.open === 100);
    await stream.cut();
    await until(() => held.streams === 0);
    held.decide();
    expect(held.made).toEqual([]);
  });

  test('the end of the requests waits for the open checks', async () => {
    for (let tag = 0; tag < 100; tag++) stream.check(tag, [bucketOf(tag)]);
    const ended = stream.end();
    await until(() => held.open === 100);
    expect(stream.responses).toEqual([]);
    held.decide();
    expect(await ended).toMatchObject({ code: Status.OK });
    expect(stream.responses).toHaveLength(100);
  });

  test('a server that stops answers the checks that it has read, and ends the stream with UNAVAILABLE', async () => {
    for (let tag = 0; tag < 300; tag++) stream.check(tag, [bucketOf(tag)]);
    await until(() => held.open === 300);
    const closed = held.close();
    stream.check(300, [bucketOf('too late')]);
    held.decide();
    expect(await stream.ended).toMatchObject({ code: Status.UNAVAILABLE });
    expect(stream.responses).toHaveLength(300);
    expect(held.made).toHaveLength(300);
    await closed;
  });

  test('a client that does not read its responses is not read, and others are', async () => {
    const raw = rawCheckStream(held.address);
    raw.stream.pause();
    let taken = 0;
    let ended = false;
    const writing = (async () => {
      for (; taken < 1_000_000 && !ended; taken++) await raw.write({ sets: [], tag: taken });
    })().catch(() => undefined); // cut below
    const made = () => held.made.filter((key) => key === '').length;
    let others = 0;
    let before: number;
    do {
      before = made();
      // While these are read and answered, the server could also read the silent client.
      for (let i = 0; i < 10; i++) {
        stream.check(++others, [bucketOf('other')]);
        await decideUntil(others);
      }
    } while (before < 1024 || made() !== before);
    expect(before).toBeLessThan(50_000); // of a million
    ended = true;
    await raw.cut();
    await writing;
  });
});
