import { createServer } from 'node:net';
import type { BinaryWriter } from '@bufbuild/protobuf/wire';
import { freePort } from '@gatehouse/dev-env/free-port';
import { AnswerFrame, CallFrame } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/rpc/call.ts';
import type { MethodDefinition } from '../../src/rpc/definition.ts';
import { PART_BYTES } from '../../src/rpc/limits.ts';
import type { MessageType } from '../../src/rpc/messages/codec.ts';
import { AnswerFrameWriter } from '../../src/rpc/stream/answer-frame-writer.ts';
import { CallFrameWriter } from '../../src/rpc/stream/call-frame-writer.ts';
import { ClientStream } from '../../src/rpc/stream/client-stream.ts';
import type { StreamEvents } from '../../src/rpc/stream/message-stream.ts';
import { atEnd, client, start, text } from '../support/echo-service.ts';
import { answers, type Received, rawServer, receive } from '../support/raw-peer.ts';

const timeoutMs = 20_000;

/** A message type of plain bytes. */
const BYTES: MessageType<unknown> = {
  encode: (message, writer) => (writer as BinaryWriter).raw(message as Uint8Array),
  decode: (input) => input,
};
/** A message type that fails halfway through encoding. */
const HALF: MessageType<unknown> = {
  encode: (_, writer) => {
    (writer as BinaryWriter).uint32(10).fork().string('half of it');
    throw new Error('half');
  },
  decode: (input) => input,
};

function method(type: MessageType<unknown>): MethodDefinition {
  return {
    name: 'a',
    requestType: type,
    responseType: type,
    requestStream: false,
    responseStream: false,
    options: {},
  };
}

describe('a call stream', () => {
  it('sends short answers between the parts of a long one', async () => {
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

  it('sends the parts of long answers in turns, and short ones together', () => {
    const queue = new AnswerFrameWriter();
    const sent: number[] = [];
    const add = (id: number, length: number): void =>
      queue.succeed({ id, answerSent: () => sent.push(id) }, BYTES, new Uint8Array(length).fill(id));
    add(1, 2 * PART_BYTES + 1);
    add(2, 10);
    add(3, PART_BYTES + 1);
    add(4, PART_BYTES);
    add(5, PART_BYTES);
    queue.fail(6, 5, Uint8Array.of(7));
    expect(queue.size()).toBe(6);
    expect(sent, 'long answers wait for their last part').toEqual([2, 4, 5]);
    const next = () => queue.nextFrame() ?? new Uint8Array();
    const frames = [next(), next(), next(), next()].map((frame) => AnswerFrame.decode(frame).answers);
    expect(frames.map((answers) => answers.map(({ id }) => id))).toEqual([[2, 4], [5], [6], []]);
    for (const { id, status, response, details } of frames.flat()) {
      if (id === 6) expect([status, response.length, [...details]]).toEqual([5, 0, [7]]);
      else expect([status, response.every((byte) => byte === id), details.length]).toEqual([0, true, 0]);
    }
    const parts = [];
    for (let part = queue.nextPart(); part !== undefined; part = queue.nextPart()) {
      for (const { id, response, more } of AnswerFrame.decode(part).answers) {
        parts.push([id, response.length, more]);
        expect(response.every((byte) => byte === id)).toBe(true);
      }
    }
    expect(parts).toEqual([
      [1, PART_BYTES, true],
      [3, PART_BYTES, true],
      [1, PART_BYTES, true],
      [3, 1, false],
      [1, 1, false],
    ]);
    expect(queue.size()).toBe(0);
    expect(sent).toEqual([2, 4, 5, 3, 1]);
    for (const id of [7, 8, 9]) add(id, PART_BYTES + 1);
    queue.drop(8);
    queue.dropAll();
    expect(sent.slice(5), 'dropped').toEqual([8, 7, 9]);
  });

  it('omits messages that cannot be encoded, and nothing else', () => {
    const queue = new AnswerFrameWriter();
    const answered = (id: number) => ({ id, answerSent: () => undefined });
    queue.succeed(answered(1), BYTES, Uint8Array.of(1));
    expect(() => queue.succeed(answered(2), HALF, undefined)).toThrow('half');
    queue.succeed(answered(3), BYTES, Uint8Array.of(3));
    const { answers } = AnswerFrame.decode(queue.nextFrame() ?? new Uint8Array());
    expect(answers.map(({ id, response }) => [id, ...response])).toEqual([
      [1, 1],
      [3, 3],
    ]);
    const calls = new CallFrameWriter();
    const call = {
      path: '/a',
      timeoutMs: 5,
      caller: anonymous,
      requestId: 'r',
      traceparent: '',
      encoded: undefined,
    };
    calls.add(1, { ...call, method: method(BYTES), request: Uint8Array.of(1) });
    expect(() => calls.add(2, { ...call, method: method(HALF), request: undefined })).toThrow('half');
    expect(calls.add(3, { ...call, method: method(BYTES), request: new Uint8Array(65_537) })).toBe(false);
    calls.add(4, { ...call, method: method(BYTES), request: Uint8Array.of(4), path: '/b' });
    calls.add(5, { ...call, method: method(BYTES), request: Uint8Array.of(5), path: '/b' });
    const frame = CallFrame.decode(calls.finish([1]).subarray(5));
    expect(frame.calls.map(({ id, method, request }) => [id, method, ...request])).toEqual([
      [1, '/a', 1],
      [4, '/b', 4],
      [5, '', 5],
    ]);
    expect(frame.calls[0]).toMatchObject({ timeout_ms: 5, request_id: 'r', caller: new Uint8Array() });
    expect(frame.cancelled).toEqual([1]);
    expect(CallFrame.decode(calls.finish([]).subarray(5))).toEqual({ calls: [], cancelled: [] });
  });

  it('that is full waits for room once, however calls arrive, and then sends them all', async () => {
    const frames: CallFrame[] = [];
    let events: StreamEvents | undefined;
    let full = false;
    const calls = new ClientStream({
      open: (on) => {
        events = on;
        const write = (prefixed: Uint8Array) => {
          expect(full).toBe(false);
          full = true;
          frames.push(CallFrame.decode(prefixed.subarray(5)));
          return false;
        };
        return { write, end: () => undefined, cancel: () => undefined };
      },
      callUnary: () => undefined,
      onEnd: () => undefined,
    });
    const drain = () => {
      full = false;
      events?.drained();
    };
    const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const call = {
      path: '/a',
      method: method(BYTES),
      request: new Uint8Array(),
      caller: anonymous,
      requestId: '',
      traceparent: '',
      encoded: undefined,
      signal: undefined,
      timeoutMs: 20_000,
    };
    const ends: Promise<unknown>[] = [];
    for (const count of [1, 40, 1, 40, 16, 3, 100]) {
      for (let placed = 0; placed < count; placed++)
        ends.push(
          new Promise((succeed, fail) =>
            calls.call({ ...call, due_ms: performance.now() + 20_000, succeed, fail }),
          ),
        );
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

  it('is renewed by age without losing a call', async () => {
    const streams: Received[] = [];
    const raw = await rawServer((stream) => {
      const received = receive(stream, ({ id, request }) => stream.write(answers({ id, response: request })));
      streams.push(received);
    });
    atEnd(() => raw.close());
    const connection = client(raw.address, 'stream', { renewAfterMs: 50 });
    let calls = 0;
    while (streams.length < 4) {
      const batch = Array.from({ length: 10 }, () => connection.client.say(text('x'), { timeoutMs }));
      calls += (await Promise.all(batch)).length;
    }
    connection.close();
    await expect.poll(() => streams.map(({ ended }) => ended)).toEqual(streams.map(() => true));
    expect(streams.flatMap((one) => one.calls)).toHaveLength(calls);
    expect(streams.every((one) => one.calls.length > 0)).toBe(true);
  });
});

it.each(['stream', 'unary'] as const)(
  'over %s a host name stands for its addresses, and those that answer are used',
  async (transport) => {
    const { address } = await start((request) => request, { address: '127.0.0.1:0' });
    const port = address.slice(address.lastIndexOf(':'));
    const { client: echo } = client(`localhost${port}`, transport); // 127.0.0.1, and ::1 without a server
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 10 }, () => echo.say(text('x'), { timeoutMs }));
      expect(await Promise.all(calls)).toHaveLength(10);
    }
  },
);

describe.each(['stream', 'unary', 'direct'] as const)('over %s', (transport) => {
  it('servers are replaced one after the other without losing a call', async () => {
    const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const servers = await Promise.all(addresses.map((address) => start((request) => request, { address })));
    const { client: echo } = client(addresses.join(','), transport);
    await Promise.all(Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs })));
    let stop = false;
    let calls = 0;
    const load = Array.from({ length: 16 }, async () => {
      while (!stop) {
        await echo.say(text('x'), { timeoutMs }); // not idempotent: a lost call fails the test
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
      await expect.poll(() => served).toBeGreaterThan(20); // the new one takes its share before the next one goes
    }
    stop = true;
    await Promise.all(load);
    expect(calls).toBeGreaterThan(40);
  });

  it('a missing server costs no call, not even the first', async () => {
    const { address } = await start((request) => request);
    const { client: echo } = client(`127.0.0.1:1,${address},127.0.0.1:2`, transport);
    const calls = Array.from({ length: 90 }, () => echo.say(text('x'), { timeoutMs }));
    expect(await Promise.all(calls)).toHaveLength(90);
  });

  it('a missing or silent server gets no calls once another is connected', async () => {
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

  // Node closes a connection on which more than a thousand RPCs are cancelled at once; the other links are not
  // affected.
  const cancellations = transport === 'unary' ? 800 : 20_000;
  it(`${cancellations} cancellations do not affect other calls`, async () => {
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
