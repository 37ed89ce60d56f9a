import { getEventListeners } from 'node:events';
import { faultOf } from '@gatehouse/dev-env/faults';
import { ErrorInfo } from '@gatehouse/proto/google/rpc/error-details';
import { Status as RpcStatus } from '@gatehouse/proto/google/rpc/status';
import { describe, expect, it } from 'vitest';
import { Status } from '../../src/fault.ts';
import { MAX_FRAME_ANSWERS, MAX_MESSAGE_BYTES, MAX_OPEN_CALLS, PART_BYTES } from '../../src/rpc/limits.ts';
import type { Call } from '../../src/rpc.ts';
import { EchoDefinition } from '../support/echo-definition.ts';
import { atEnd, client, start, text } from '../support/echo-service.ts';
import {
  answers,
  draining,
  type RawServerStream,
  type Received,
  rawServer,
  receive,
} from '../support/raw-peer.ts';

const SAY = '/kit.v1.Json/Say';
const GARBAGE = Buffer.from([0xff, 0xff, 0xff]);
const UNAVAILABLE = { status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' };
const INTERNAL = { status: Status.INTERNAL, reason: 'INTERNAL_SERVER_ERROR' };

type Serve = (stream: RawServerStream) => void;

/** A server with a script for each new stream; the last script serves all further streams. */
async function server(...scripts: Serve[]) {
  let opened = 0;
  const raw = await rawServer((stream) => {
    scripts[Math.min(opened, scripts.length - 1)]?.(stream);
    opened++;
  });
  atEnd(() => raw.close());
  return { address: raw.address, opened: () => opened };
}

const echo: Serve = (stream) => {
  receive(stream, ({ id, request }) => stream.write(answers({ id, response: request })));
};

describe('a client whose server', () => {
  it.each([
    ['sends something other than a frame', GARBAGE],
    ['sends more answers in a frame than fit', Buffer.alloc(2 * (MAX_FRAME_ANSWERS + 1), '0a00', 'hex')],
  ])('%s: fails the open calls, and makes the next on a new stream', async (_, bad) => {
    const { address, opened } = await server((stream) => receive(stream, () => stream.write(bad)), echo);
    const { client: echoing } = client(address);
    const calls = ['a', 'b'].map((value) => faultOf(echoing.say(text(value), { timeoutMs: 20_000 })));
    for (const fault of await Promise.all(calls)) expect(fault).toMatchObject(UNAVAILABLE);
    expect(await echoing.say(text('c'), { timeoutMs: 20_000 })).toEqual(text('c'));
    expect(opened()).toBe(2);
  });

  const withMember = (value: string) =>
    RpcStatus.encode({
      code: Status.NOT_FOUND,
      message: 'm',
      details: [
        {
          type_url: 'type.googleapis.com/google.rpc.ErrorInfo',
          value: ErrorInfo.encode({ reason: 'R', domain: 'gatehouse', metadata: { a: value } }).finish(),
        },
      ],
    }).finish();

  it.each([
    ['no google.rpc.Status', GARBAGE],
    ['a member that is not JSON', withMember('{')],
    ['nothing', new Uint8Array()],
  ])('sends as details %s: fails with the fault for the status', async (_, details) => {
    const { address } = await server((stream) =>
      receive(stream, ({ id, request_id }) =>
        stream.write(answers({ id, status: Number(request_id), details })),
      ),
    );
    const { client: echoing } = client(address);
    const as = (status: number) =>
      faultOf(echoing.say(text(''), { timeoutMs: 20_000, requestId: String(status) }));
    expect(await as(Status.NOT_FOUND)).toMatchObject(INTERNAL);
    expect(await as(Status.UNAVAILABLE)).toMatchObject(UNAVAILABLE);
    expect(await as(Status.DEADLINE_EXCEEDED)).toMatchObject({ reason: 'GATEWAY_TIMEOUT' });
    expect(await as(99)).toMatchObject(INTERNAL);
  });

  it('answers unknown IDs, or one twice: ignores them', async () => {
    const { address } = await server((stream) =>
      receive(stream, ({ id, request }) => {
        stream.write(answers({ id: id + 1000, response: GARBAGE }, { id: id + 2000, more: true }));
        stream.write(answers({ id, response: request }, { id, status: Status.INTERNAL }, { id, more: true }));
      }),
    );
    const { client: echoing } = client(address);
    for (const value of ['a', 'b'])
      expect(await echoing.say(text(value), { timeoutMs: 20_000 })).toEqual(text(value));
  });

  it('answers with a message that cannot be decoded: INTERNAL', async () => {
    const { address } = await server((stream) =>
      receive(stream, ({ id }) => stream.write(answers({ id, response: GARBAGE }))),
    );
    expect(await faultOf(client(address).client.say(text(''), { timeoutMs: 20_000 }))).toMatchObject(
      INTERNAL,
    );
  });

  it('sends parts endlessly: gives up the call and cancels it', async () => {
    const streams: Received[] = [];
    const { address } = await server((stream) => {
      const received = receive(stream, ({ id }) => {
        for (let part = 0; part <= MAX_MESSAGE_BYTES / PART_BYTES; part++)
          stream.write(answers({ id, response: GARBAGE, more: true }));
      });
      streams.push(received);
    });
    expect(await faultOf(client(address).client.say(text(''), { timeoutMs: 20_000 }))).toMatchObject(
      INTERNAL,
    );
    await expect.poll(() => streams[0]?.cancelled).toEqual([streams[0]?.calls[0]?.id]);
  });

  it.each<[string, Serve]>([
    ['ends the stream', (stream) => stream.end()],
    ['fails the stream', (stream) => stream.emit('error', { code: Status.INTERNAL, message: 'x' })],
  ])('%s with open calls: they fail, and the next ones use a new stream', async (_, end) => {
    const { address, opened } = await server((stream) => receive(stream, () => end(stream)), echo);
    const { client: echoing } = client(address);
    expect(await faultOf(echoing.say(text('a'), { timeoutMs: 20_000 }))).toMatchObject(UNAVAILABLE);
    expect(await echoing.say(text('b'), { timeoutMs: 20_000 })).toEqual(text('b'));
    expect(opened()).toBe(2);
  });

  it('drains: gets no further call, and its answers are read before the stream ends', async () => {
    const streams: Received[] = [];
    const first = Promise.withResolvers<() => void>();
    const { address } = await server((stream) => {
      const received = receive(stream, ({ id, request }) => {
        first.resolve(() => stream.write(answers({ id, response: request })));
        stream.write(draining);
      });
      streams.push(received);
    }, echo);
    const { client: echoing } = client(address);
    const kept = echoing.say(text('kept'), { timeoutMs: 20_000 });
    const answer = await first.promise;
    await expect
      .poll(() => echoing.say(text('next'), { timeoutMs: 200 }).catch(() => undefined))
      .toEqual(text('next')); // on the second stream: the first has no echo
    const placed = streams[0]?.calls.length;
    await echoing.say(text('later'), { timeoutMs: 20_000 });
    expect(streams[0]).toMatchObject({ ended: false });
    expect(streams[0]?.calls).toHaveLength(placed ?? 0);
    answer();
    expect(await kept).toEqual(text('kept'));
    await expect.poll(() => streams[0]?.ended).toBe(true);
  });

  it('drains and does not answer: gets the cancellation before the stream ends', async () => {
    const streams: Received[] = [];
    const { address } = await server((stream) => {
      const received = receive(stream, () => stream.write(draining));
      streams.push(received);
    });
    const connection = client(address);
    const controller = new AbortController();
    const options = { timeoutMs: 20_000, signal: controller.signal };
    const call = faultOf(connection.client.say(text('x'), options));
    await expect.poll(() => streams[0]?.calls.length).toBe(1);
    connection.close();
    controller.abort();
    expect((await call).status).toBe(Status.CANCELLED);
    await expect.poll(() => streams[0]).toMatchObject({ cancelled: [streams[0]?.calls[0]?.id], ended: true });
  });

  it('does not read: a call whose deadline passes in the queue is never sent', async () => {
    let stopped: RawServerStream | undefined;
    const { address } = await server((stream) => {
      stopped = stream; // without a listener, nothing is read and the windows fill up
    });
    const { client: echoing } = client(address);
    const filling = Array.from({ length: 200 }, () =>
      faultOf(echoing.say(text('x'.repeat(60_000)), { timeoutMs: 3_000, requestId: 'filling' })),
    );
    await expect.poll(() => stopped).toBeDefined();
    const late = await faultOf(echoing.say(text('late'), { timeoutMs: 100, requestId: 'late' }));
    expect(late.reason).toBe('GATEWAY_TIMEOUT');
    const received = receive(stopped as RawServerStream);
    await Promise.all(filling);
    await expect.poll(() => received.cancelled.length).toBe(received.calls.length);
    expect(received.calls.length).toBeGreaterThan(0);
    expect(received.calls.map((call) => call.request_id)).not.toContain('late');
  });

  it('gets a hundred calls of one tick in one frame, on one stream', async () => {
    const streams: Received[] = [];
    const { address, opened } = await server((stream) => {
      const received = receive(stream, ({ id, request }) => stream.write(answers({ id, response: request })));
      streams.push(received);
    });
    const { client: echoing } = client(address);
    for (let round = 1; round <= 3; round++) {
      await Promise.all(Array.from({ length: 100 }, () => echoing.say(text('x'), { timeoutMs: 20_000 })));
      expect(streams[0]).toMatchObject({ frames: round });
    }
    expect(opened()).toBe(1);
  });

  it('gets requests over 64 KiB as unary RPCs', async () => {
    const long: number[] = [];
    const raw = await rawServer(echo, {
      [SAY]: (request) => {
        long.push(request.length);
        return request;
      },
    });
    atEnd(() => raw.close());
    const { client: echoing } = client(raw.address);
    for (const length of [65_532, 65_533]) {
      const value = 'x'.repeat(length); // and four bytes of tag and length
      expect(await echoing.say(text(value), { timeoutMs: 20_000 })).toEqual(text(value));
    }
    expect(long).toEqual([65_537]);
  });
});

describe.each(['stream', 'unary', 'direct'] as const)('a client over %s', (transport) => {
  /** Counts the calls that reach a server which never answers. */
  async function silentServer() {
    let count = 0;
    const arrived = (): undefined => {
      count++;
    };
    if (transport === 'direct') {
      const { address } = await start(async (request, { signal }) => {
        arrived();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return request;
      });
      return { address, count: () => count };
    }
    const raw = await rawServer((stream) => receive(stream, arrived), { [SAY]: arrived });
    atEnd(() => raw.close());
    return { address: raw.address, count: () => count };
  }

  it('does not send calls that are cancelled or overdue before they leave', async () => {
    const { address, count } = await silentServer();
    const { client: echoing } = client(address, transport);
    const parent = { due_ms: performance.now() - 1 } as Call;
    const late = await faultOf(echoing.say(text(''), { timeoutMs: 20_000, parent }));
    expect(late.reason).toBe('GATEWAY_TIMEOUT');
    const signal = AbortSignal.abort();
    expect((await faultOf(echoing.say(text(''), { timeoutMs: 20_000, signal }))).status).toBe(
      Status.CANCELLED,
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    const controller = new AbortController();
    const sent = faultOf(echoing.say(text(''), { timeoutMs: 20_000, signal: controller.signal }));
    await expect.poll(count).toBe(1);
    controller.abort();
    await sent;
    expect(count()).toBe(1);
  });

  it(`has at most ${MAX_OPEN_CALLS} open calls, and refuses one more at once`, async () => {
    const { address, count } = await silentServer();
    const { client: echoing } = client(address, transport);
    const controller = new AbortController();
    const options = { timeoutMs: 60_000, signal: controller.signal };
    const open = Array.from({ length: MAX_OPEN_CALLS }, () => faultOf(echoing.say(text(''), options)));
    await expect.poll(count).toBe(MAX_OPEN_CALLS);
    expect(await faultOf(echoing.say(text(''), options))).toMatchObject(UNAVAILABLE);
    controller.abort();
    for (const fault of await Promise.all(open)) expect(fault.status).toBe(Status.CANCELLED);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    const roomAgain = () => faultOf(echoing.say(text(''), { timeoutMs: 100 })).then(({ reason }) => reason);
    await expect.poll(roomAgain).toBe('GATEWAY_TIMEOUT');
  });

  it('throws Fault and nothing else, whatever the arguments', async () => {
    const { address } = await silentServer();
    const connection = client(address, transport);
    const wrong = undefined as never;
    expect(await faultOf(connection.client.say(wrong, { timeoutMs: 50 }))).toMatchObject(INTERNAL);
    await faultOf(connection.client.say(text(''), { timeoutMs: 50, requestId: 'é\n' }));
    await faultOf(connection.client.say(text(''), { timeoutMs: Number.NaN }));
    connection.close();
    expect(await faultOf(connection.client.say(text(''), { timeoutMs: 50 }))).toMatchObject(UNAVAILABLE);
    expect(await connection.healthy(50)).toBe(false);
  });
});

it('the echo service has the method that these tests answer', () => {
  expect(`/${EchoDefinition.fullName}/${EchoDefinition.methods.say.name}`).toBe(SAY);
});
