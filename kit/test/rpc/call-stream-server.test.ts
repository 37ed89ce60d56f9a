import { faultOf } from '@gatehouse/dev-env/faults';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { type Answer, AnswerFrame } from '@gatehouse/proto/kit/calls';
import { NullableString } from '@gatehouse/proto/kit/json';
import type { StatusObject } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../../src/fault.ts';
import { MAX_FRAME_BYTES, MAX_OPEN_CALLS, PART_BYTES } from '../../src/rpc/limits.ts';
import { anonymous } from '../../src/rpc.ts';
import { atEnd, client, type EchoHandler, start, text } from '../support/echo-service.ts';
import { calls, cancellation, type RawClientStream, rawClient } from '../support/raw-peer.ts';

const GARBAGE = Buffer.from([0xff, 0xff, 0xff]);
const message = (value: string): Uint8Array => NullableString.encode({ value }).finish();

interface ServerOutput {
  readonly stream: RawClientStream;
  readonly answers: Answer[];
  draining: boolean;
  status: StatusObject | undefined;
}

/** A stream to a server, with everything that it returns. */
function open(address: string): ServerOutput {
  const { stream, close } = rawClient(address);
  atEnd(() => {
    stream.cancel();
    close();
  });
  const output: ServerOutput = { stream, answers: [], draining: false, status: undefined };
  stream.on('data', (bytes: Buffer) => {
    const frame = AnswerFrame.decode(bytes);
    output.answers.push(...frame.answers);
    output.draining ||= frame.draining;
  });
  stream.on('status', (status: StatusObject) => {
    output.status = status;
  });
  return output;
}

/** A handler that the test releases, and the number of running ones. */
function blockingHandler(): {
  handler: EchoHandler;
  running: () => number;
  aborted: () => number;
  release(): void;
} {
  const released = Promise.withResolvers<void>();
  let running = 0;
  let aborted = 0;
  return {
    handler: async (request, { signal }) => {
      signal.addEventListener('abort', () => aborted++);
      running++;
      await released.promise;
      running--;
      return request;
    },
    running: () => running,
    aborted: () => aborted,
    release: released.resolve,
  };
}

describe('a server whose client', () => {
  it.each([
    ['sends something other than a frame', GARBAGE],
    ['uses the ID of an open call', calls({ id: 1 })],
    ['sends a frame over the limit', calls({ id: 2, request: new Uint8Array(MAX_FRAME_BYTES) })],
    ['sends more calls in a frame than may be open', Buffer.alloc(2 * (MAX_OPEN_CALLS + 1), '0a00', 'hex')],
    ['cancels more calls in a frame than may be open', Buffer.alloc(2 * (MAX_OPEN_CALLS + 1), '1009', 'hex')],
    [
      'cancels more calls than may be open in a packed list',
      cancellation(...Array.from({ length: MAX_OPEN_CALLS + 1 }, (_, index) => index + 2)),
    ],
  ])('%s: ends its stream and aborts its calls, without affecting others', async (_, bad) => {
    const { handler, running, aborted, release } = blockingHandler();
    const { address } = await start(handler, { again: (request) => request });
    const output = open(address);
    output.stream.write(calls({ id: 1 }));
    await expect.poll(running).toBe(1);
    output.stream.write(bad);
    await expect.poll(() => output.status).toMatchObject({ code: Status.INVALID_ARGUMENT });
    expect(aborted()).toBe(1);
    release();
    const { client: echo } = client(address);
    expect(await echo.again(text('x'), { timeoutMs: 20_000 })).toEqual(text('x'));
    expect(output.answers).toEqual([]);
  });

  it('names a malformed caller: serves the call as anonymous', async () => {
    const seen: unknown[] = [];
    const { address } = await start((request, { caller }) => {
      seen.push(caller);
      return request;
    });
    const output = open(address);
    output.stream.write(calls({ id: 1, caller: GARBAGE }, { id: 2 }));
    await expect.poll(() => output.answers.map(({ status }) => status)).toEqual([Status.OK, Status.OK]);
    expect(seen).toEqual([anonymous, anonymous]);
  });

  it('calls an unknown method, after the deadline, or with garbage: answers with the right status', async () => {
    const { address } = await start((request) => request);
    const output = open(address);
    output.stream.write(
      calls(
        { id: 1, method: '/kit.v1.Json/Nothing' },
        { id: 2, method: '__proto__' },
        { id: 3, timeout_ms: 0 },
        { id: 4, request: GARBAGE },
      ),
    );
    await expect.poll(() => output.answers.length).toBe(4);
    const status = Object.fromEntries(output.answers.map((answer) => [answer.id, answer.status]));
    expect(status).toEqual({
      1: Status.UNIMPLEMENTED,
      2: Status.UNIMPLEMENTED,
      3: Status.DEADLINE_EXCEEDED,
      4: Status.INVALID_ARGUMENT,
    });
  });

  it(`cancels endlessly: counts a call until its handler ends, and runs at most ${MAX_OPEN_CALLS}`, async () => {
    const { handler, running, aborted, release } = blockingHandler();
    const { address } = await start(handler);
    const output = open(address);
    const ids = Array.from({ length: MAX_OPEN_CALLS + 100 }, (_, index) => index + 1);
    for (const id of ids) {
      output.stream.write(calls({ id }));
      output.stream.write(cancellation(id, id, id + 1_000_000));
    }
    await expect.poll(() => output.answers.length).toBe(100);
    expect(output.answers.every(({ status }) => status === Status.RESOURCE_EXHAUSTED)).toBe(true);
    expect([running(), aborted()]).toEqual([MAX_OPEN_CALLS, MAX_OPEN_CALLS]);
    release();
    await expect.poll(running).toBe(0);
    output.stream.write(calls({ id: 9_999_999 }));
    await expect.poll(() => output.answers.at(-1)).toMatchObject({ id: 9_999_999, status: Status.OK });
    expect(output.answers).toHaveLength(101); // none for a cancelled call
  });

  it('does not read its answers: reads no further calls until it does', async () => {
    let handled = 0;
    const { address } = await start((request) => {
      handled++;
      return request;
    });
    const output = open(address);
    output.stream.pause();
    const request = message('x'.repeat(60_000));
    const total = 3_000;
    for (let id = 1; id <= total; id++) output.stream.write(calls({ id, request }));
    let before = -1;
    await expect
      .poll(
        () => {
          const still = handled > 0 && handled === before;
          before = handled;
          return still;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(handled).toBeLessThan(total);
    output.stream.resume();
    await expect.poll(() => output.answers.length).toBe(total);
    expect(handled).toBe(total);
  });

  it('half-closes with open calls: answers them all, long ones too, then ends', async () => {
    const { handler, running, aborted, release } = blockingHandler();
    const { address } = await start(handler);
    const output = open(address);
    const long = message('x'.repeat(3 * PART_BYTES));
    output.stream.write(calls({ id: 1 }, { id: 2, request: long }, { id: 3 }));
    await expect.poll(running).toBe(3);
    output.stream.write(cancellation(3));
    output.stream.end();
    await expect.poll(aborted).toBe(1);
    release();
    await expect.poll(() => output.status).toMatchObject({ code: Status.OK });
    const parts = output.answers.filter(({ id }) => id === 2);
    expect(parts.map(({ more }) => more)).toEqual([true, true, true, false]);
    expect(Buffer.concat(parts.map(({ response }) => response)).equals(long)).toBe(true);
    expect(output.answers.filter(({ id }) => id !== 2)).toMatchObject([{ id: 1, status: Status.OK }]);
  });

  it('cancels in the middle of a long answer: sends no further parts', async () => {
    const { address } = await start(() => text('x'.repeat(400 * PART_BYTES)));
    const output = open(address);
    output.stream.pause();
    output.stream.write(calls({ id: 1 }));
    const first = await new Promise<Buffer>((resolve) => output.stream.once('data', resolve).resume());
    expect(AnswerFrame.decode(first).answers).toMatchObject([{ id: 1, more: true }]);
    output.stream.write(cancellation(1));
    output.stream.end();
    await expect.poll(() => output.status).toMatchObject({ code: Status.OK });
    expect(output.answers.length).toBeLessThan(200);
    expect(output.answers.every(({ more }) => more)).toBe(true);
  });

  it('is gone: aborts its open calls', async () => {
    const { handler, running, aborted, release } = blockingHandler();
    const { address } = await start(handler);
    const output = open(address);
    output.stream.write(calls({ id: 1 }, { id: 2 }));
    await expect.poll(running).toBe(2);
    output.stream.cancel();
    await expect.poll(aborted).toBe(2);
    release();
  });

  it('opens a stream while the server drains: sends draining at once', async () => {
    const { handler, running, release } = blockingHandler();
    const server = await start(handler, { again: (request) => request });
    const output = open(server.address);
    output.stream.write(calls({ id: 1 }));
    await expect.poll(running).toBe(1);
    const closed = server.close();
    await expect.poll(() => output.draining).toBe(true);
    output.stream.write(calls({ id: 2, method: '/kit.v1.Json/Again' })); // sent before the notice arrived
    await expect.poll(() => output.answers).toMatchObject([{ id: 2, status: Status.OK }]);
    output.stream.end();
    release();
    await closed;
    expect(output.answers.map(({ id }) => id)).toEqual([2, 1]);
    expect(output.status).toMatchObject({ code: Status.OK });
  });
});

it('a server closes within 8 seconds though a handler never returns, and its callers get an error', async () => {
  const { handler, running } = blockingHandler();
  const server = await start(handler);
  const calls = (['stream', 'unary', 'direct'] as const).map((transport) =>
    faultOf(client(server.address, transport).client.say(text(''), { timeoutMs: 60_000 })),
  );
  await expect.poll(running).toBe(3);
  const took_ms = processStopwatch();
  await server.close();
  expect(took_ms()).toBeLessThan(9_500);
  for (const call of await Promise.all(calls)) expect(call.reason).toBe('SERVICE_UNAVAILABLE');
});

describe.each(['stream', 'unary', 'direct'] as const)('a server over %s', (transport) => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'password=hunter2'],
    ['a symbol', Symbol('hunter2')],
    ['an object', { password: 'hunter2', big: 1n }],
    ['a fault with a member that has no JSON', fault({ members: { a: 1n as never } })],
    ['a fault with an undefined member', fault({ members: { a: undefined as never } })],
    ['a cause that is its own cause', ownCause()],
    ['a fault that is too long', fault({ members: { a: 'x'.repeat(50_000) } })],
  ])('answers INTERNAL when a handler throws %s, and continues', async (_, thrown) => {
    const { address } = await start(
      () => {
        throw thrown;
      },
      { again: (request) => request },
    );
    const { client: echo } = client(address, transport);
    const error = await echo.say(text(''), { timeoutMs: 20_000 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: Status.INTERNAL, reason: 'INTERNAL_SERVER_ERROR', members: {} });
    expect((error as Fault).message).not.toContain('hunter2');
    expect(await echo.again(text('x'), { timeoutMs: 20_000 })).toEqual(text('x'));
  });

  it('answers INTERNAL when a response cannot be encoded', async () => {
    const { address } = await start(() => undefined as never);
    const { client: echo } = client(address, transport);
    const error = await echo.say(text(''), { timeoutMs: 20_000 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: Status.INTERNAL });
  });
});

function fault(more: Partial<ConstructorParameters<typeof Fault>[0]>): Fault {
  return new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'hunter2', ...more });
}

function ownCause(): Error {
  const error = new Error('hunter2');
  error.cause = error;
  return error;
}
