import { createServer } from 'node:net';
import { CallFrame } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { answerQueue } from '../src/rpc/answer-queue.ts';
import { PART_BYTES } from '../src/rpc/limits.ts';
import type { StreamEvents } from '../src/rpc/message-stream.ts';
import { callStream } from '../src/rpc/stream-client.ts';
import { atEnd, client, start, text } from './support/echo-service.ts';
import { answers, type Received, rawServer, receive } from './support/raw-peer.ts';

const timeoutMs = 20_000;

describe('a call stream', () => {
  it('lets short answers pass between the parts of a long one', async () => {
    const long = text('x'.repeat(300 * PART_BYTES));
    const returned = Promise.withResolvers<void>();
    const { address } = await start((request) => {
      if (request.value !== 'long') return request;
      returned.resolve();
      return long;
    });
    const { client: echo } = client(address);
    const order: string[] = [];
    const answer = echo.say(text('long'), { timeoutMs }).then((response) => {
      order.push('long');
      return response;
    });
    await returned.promise;
    for (let index = 0; index < 10; index++) {
      await echo.say(text('short'), { timeoutMs });
      order.push('short');
    }
    expect((await answer).value).toBe(long.value);
    expect(order).toEqual([...Array(10).fill('short'), 'long']);
  });

  it('sends the parts of long answers in turn, and short ones together', () => {
    const queue = answerQueue();
    const details = new Uint8Array();
    const add = (id: number, length: number): void =>
      queue.add({ id, status: 0, response: new Uint8Array(length), details, more: false });
    add(1, 2 * PART_BYTES + 1);
    add(2, 10);
    add(3, PART_BYTES + 1);
    add(4, PART_BYTES);
    add(5, PART_BYTES);
    add(6, 10);
    expect(queue.size()).toBe(6);
    const ids = () => queue.nextFrame().map(({ id }) => id);
    expect([ids(), ids(), ids()]).toEqual([[2, 4], [5], [6]].map((frame) => frame));
    const parts = [];
    for (let part = queue.nextPart(); part !== undefined; part = queue.nextPart())
      parts.push([part.id, part.response.length, part.more]);
    expect(parts).toEqual([
      [1, PART_BYTES, true],
      [3, PART_BYTES, true],
      [1, PART_BYTES, true],
      [3, 1, false],
      [1, 1, false],
    ]);
    expect(queue.size()).toBe(0);
  });

  it('that is full waits for room once, however its calls arrive, and sends them all then', async () => {
    const frames: CallFrame[] = [];
    let events: StreamEvents | undefined;
    let full = false;
    const calls = callStream(
      (on) => {
        events = on;
        const write = (prefixed: Uint8Array) => {
          expect(full).toBe(false);
          full = true;
          frames.push(CallFrame.decode(prefixed.subarray(5)));
          return false;
        };
        return { write, end: () => undefined, cancel: () => undefined };
      },
      () => undefined,
    );
    const drain = () => {
      full = false;
      events?.drained();
    };
    const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const call = {
      path: '/a',
      request: new Uint8Array(),
      caller: new Uint8Array(),
      requestId: '',
      signal: undefined,
      timeoutMs: 20_000,
    };
    const ends: Promise<unknown>[] = [];
    for (const count of [1, 40, 1, 40, 16, 3, 100]) {
      for (let placed = 0; placed < count; placed++)
        ends.push(calls.call({ ...call, due_ms: performance.now() + 20_000 }));
      await tick();
      drain();
      await tick();
    }
    const settled = Promise.allSettled(ends);
    while (full) {
      drain();
      await tick();
    }
    expect(frames.flatMap((frame) => frame.calls.map(({ id }) => id))).toEqual(
      ends.map((_, index) => index + 1),
    );
    events?.lost(new Error('the stream ended'));
    for (const end of await settled) expect(end.status).toBe('rejected');
  });

  it('is renewed by age, and no call is lost by that', async () => {
    const heard: Received[] = [];
    const raw = await rawServer((stream) => {
      const received = receive(stream, ({ id, request }) => stream.write(answers({ id, response: request })));
      heard.push(received);
    });
    atEnd(() => raw.close());
    const connection = client(raw.address, 'stream', { renewAfterMs: 50 });
    let calls = 0;
    while (heard.length < 4) {
      const batch = Array.from({ length: 10 }, () => connection.client.say(text('x'), { timeoutMs }));
      calls += (await Promise.all(batch)).length;
    }
    connection.close();
    await expect.poll(() => heard.map(({ ended }) => ended)).toEqual(heard.map(() => true));
    expect(heard.flatMap((one) => one.calls)).toHaveLength(calls);
    expect(heard.every((one) => one.calls.length > 0)).toBe(true);
  });
});

describe.each(['stream', 'unary'] as const)('over %s', (transport) => {
  it('servers are replaced one after the other, and no call is lost', async () => {
    const servers = [await start((request) => request), await start((request) => request)];
    const addresses = servers.map(({ address }) => address);
    const { client: echo } = client(addresses.join(','), transport);
    await Promise.all(Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs })));
    let stop = false;
    let calls = 0;
    const load = Array.from({ length: 16 }, async () => {
      while (!stop) {
        await echo.say(text('x'), { timeoutMs }); // not to be repeated: one that is lost fails the test
        calls++;
      }
    });
    for (const [index, server] of servers.entries()) {
      await server.close();
      let served = 0;
      await start(
        (request) => {
          served++;
          return request;
        },
        { address: addresses[index] ?? '' },
      );
      await expect.poll(() => served).toBeGreaterThan(20); // the new one has its share before the next goes
    }
    stop = true;
    await Promise.all(load);
    expect(calls).toBeGreaterThan(40);
  });

  it('a server that is not there costs no call, not even the first', async () => {
    const { address } = await start((request) => request);
    const { client: echo } = client(`127.0.0.1:1,${address},127.0.0.1:2`, transport);
    const calls = Array.from({ length: 90 }, () => echo.say(text('x'), { timeoutMs }));
    expect(await Promise.all(calls)).toHaveLength(90);
  });

  it('a server that is not there, or accepts and says nothing, gets no calls once another is connected', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    atEnd(() => mute.close());
    const { port } = mute.address() as { port: number };
    const { address } = await start((request) => request);
    const { client: echo, healthy } = client(`127.0.0.1:1,127.0.0.1:${port},${address}`, transport);
    await expect.poll(() => healthy(500)).toBe(true);
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs: 5_000 }));
      expect(await Promise.all(calls)).toHaveLength(20);
    }
  });

  it('a host name stands for its addresses, of which those that answer are used', async () => {
    const { address } = await start((request) => request, { address: '127.0.0.1:0' });
    const port = address.slice(address.lastIndexOf(':'));
    const { client: echo } = client(`localhost${port}`, transport); // 127.0.0.1, and ::1 where nobody listens
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 10 }, () => echo.say(text('x'), { timeoutMs }));
      expect(await Promise.all(calls)).toHaveLength(10);
    }
  });

  it('a call that was open when the connection was closed is answered', async () => {
    const release = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const { address } = await start(async (request) => {
      entered.resolve();
      await release.promise;
      return request;
    });
    const connection = client(address, transport);
    const answer = connection.client.say(text('kept'), { timeoutMs });
    await entered.promise;
    connection.close();
    release.resolve();
    expect(await answer).toEqual(text('kept'));
  });

  // Node ends a connection on which more than a thousand RPCs were cancelled at once: the stream is free of that.
  const cancellations = transport === 'stream' ? 20_000 : 800;
  it(`${cancellations} cancellations leave the way open for other calls`, async () => {
    let entered = 0;
    const { address } = await start(
      async (request, { signal }) => {
        entered++;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return request;
      },
      { again: (request) => request },
    );
    const { client: echo } = client(address, transport);
    for (let round = 0; round < 10; round++) {
      const controller = new AbortController();
      const { signal } = controller;
      const calls = Array.from({ length: cancellations / 10 }, () =>
        echo.say(text('x'), { timeoutMs, signal }),
      );
      const ends = Promise.allSettled(calls);
      if (round % 2 === 0) await echo.again(text('those are under way'), { timeoutMs });
      controller.abort();
      for (const end of await ends) {
        expect(end).toMatchObject({ status: 'rejected', reason: { reason: 'CANCELLED' } });
      }
    }
    expect(await echo.again(text('y'), { timeoutMs })).toEqual(text('y'));
    expect(entered).toBeGreaterThan(0);
  });
});
