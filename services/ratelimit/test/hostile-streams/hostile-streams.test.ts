import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { status as Status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { charges, denialOf, type Served, startRatelimit, until } from '../support.ts';
import {
  connectHttp2,
  framed,
  framedCheck,
  type RawCheckStream,
  rawCheckStream,
} from './raw-check-stream.ts';

type Session = Awaited<ReturnType<typeof connectHttp2>>;

/** 100 per 10 s. */
const sets = (webhook = '1', cost = 1) => [
  { charges: charges([['webhook:read', [`webhook:${webhook}`], cost]]) },
];

let served: Served;
let session: Session;

beforeEach(async () => {
  served = await startRatelimit();
  session = await connectHttp2(served.service.address);
});
afterEach(async () => {
  session.destroy();
  await served.close();
});

/** Another caller is still served. */
async function expectServed(): Promise<void> {
  expect(await denialOf(served.peer, [['webhook:list_guild', ['guild:1']]])).toBeNull();
}

/** The stream still decides checks. */
async function expectOpen(stream: RawCheckStream, tag = 4_000_000_000): Promise<void> {
  stream.check({ tag, sets: sets('open') });
  expect(await stream.response(tag)).toMatchObject({ tag, degraded: false });
}

describe('a peer that never reads', () => {
  test('is not read either, delays nobody, and gets every response once it reads', async () => {
    const stream = rawCheckStream(session);
    stream.pause();
    const count = 50_000;
    for (let tag = 0; tag < count; tag += 1000) {
      stream.check(...Array.from({ length: 1000 }, (_, i) => ({ tag: tag + i, sets: sets() })));
    }
    let decided = -1;
    await until(async () => {
      const before = decided;
      decided = Number((await served.peer.client.getStatistics({}, { timeoutMs: 5000 })).checks);
      await expectServed();
      return decided - before <= 1; // only the check of the other caller
    });
    expect(decided).toBeLessThan(count / 2);
    expect(stream.waitingBytes()).toBeGreaterThan(0);
    stream.resume();
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses).toHaveLength(count);
    expect(new Set(stream.responses.map(({ tag }) => tag)).size).toBe(count);
  });

  test('and that goes away leaves nothing behind', async () => {
    const stream = rawCheckStream(session);
    stream.pause();
    for (let tag = 0; tag < 20_000; tag++) stream.check({ tag, sets: sets() });
    await until(() => stream.waitingBytes() > 0);
    session.destroy();
    await stream.status;
    session = await connectHttp2(served.service.address);
    await expectOpen(rawCheckStream(session));
  });
});

describe('odd messages', () => {
  test('a check of nothing is admitted, and one without a tag is answered', async () => {
    const stream = rawCheckStream(session);
    stream.bytes(framed(new Uint8Array()));
    stream.check({ tag: 1 });
    expect(await stream.response(1)).toMatchObject({ tag: 1, denial: null, error: null });
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses).toHaveLength(2);
  });

  test.each([
    ['an unknown bucket', [{ charges: charges([['nothing', ['x']]]) }]],
    ['five sets', Array(5).fill({ charges: [] })],
    ['17 charges', [{ charges: charges(Array(17).fill(['webhook:read', ['webhook:1']])) }]],
    ['a cost of 0', sets('1', 0)],
    ['a cost above the limit', sets('1', 101)],
    ['an identity of 513 bytes', sets('x'.repeat(505))],
    ['a lone surrogate as a bucket', [{ charges: charges([['\ud800', ['x']]]) }]],
  ])('%s is an error of its check alone, and charges nothing', async (_, wrong) => {
    const stream = rawCheckStream(session);
    stream.check({ tag: 1, sets: wrong }, { tag: 2, sets: sets('1', 100) });
    expect((await stream.response(1)).error?.code).toBe(Status.INVALID_ARGUMENT);
    expect(await stream.response(2)).toMatchObject({ tag: 2, denial: null, error: null });
    await expectOpen(stream);
  });

  test.each([
    ['that is no protobuf', framed(Buffer.from([0xff, 0xff, 0xff]))],
    ['cut within a field', framed(framedCheck({ tag: 1, sets: sets() }).subarray(5, -3))],
    ['of deep groups', framed(Buffer.alloc(100_000, 0x0b))],
    ['of 4 GB, by its prefix', framed(Buffer.alloc(10), { length: 2 ** 32 - 1 })],
    ['of 50 MB, by its prefix', framed(Buffer.alloc(10), { length: 50_000_000 })],
    ['marked as compressed, without a method', framed(gzipSync(Buffer.alloc(10)), { compressed: 1 })],
    ['marked with an unknown flag', framed(Buffer.alloc(0), { compressed: 7 })],
  ])('a message %s ends its stream with an error, and no other', async (_, bytes) => {
    const other = rawCheckStream(session);
    const stream = rawCheckStream(session);
    stream.bytes(bytes);
    stream.end();
    const status = await stream.status;
    expect(status).toBeDefined();
    expect([Status.OK, Status.UNKNOWN]).not.toContain(status);
    await expectOpen(other);
    await expectServed();
  });

  test('a compressed message is decided or refused by its method, and a bomb is refused', async () => {
    const gzip = { 'grpc-encoding': 'gzip' };
    const small = rawCheckStream(session, gzip);
    small.bytes(framed(gzipSync(framedCheck({ tag: 1, sets: sets() }).subarray(5)), { compressed: 1 }));
    small.end();
    expect([Status.OK, Status.UNIMPLEMENTED]).toContain(await small.status);
    const bomb = rawCheckStream(session, gzip);
    bomb.bytes(framed(gzipSync(Buffer.alloc(200_000_000)), { compressed: 1 }));
    bomb.end();
    expect([Status.RESOURCE_EXHAUSTED, Status.UNIMPLEMENTED]).toContain(await bomb.status);
    await expectServed();
  });

  test('the longest possible check is decided, and one with unknown fields too', async () => {
    const long = charges(
      Array.from({ length: 16 }, (_, i) => ['webhook:read', [`webhook:${i}`.padEnd(512, 'x')]] as const),
    );
    const stream = rawCheckStream(session);
    stream.check({ tag: 1, sets: Array(4).fill({ charges: long }) });
    expect(await stream.response(1)).toMatchObject({ denial: null, error: null });
    const unknown = Buffer.from([0xfa, 0x3e, 3, 1, 2, 3]); // field 1007, bytes
    stream.bytes(framed(Buffer.concat([framedCheck({ tag: 2, sets: sets() }).subarray(5), unknown])));
    expect(await stream.response(2)).toMatchObject({ denial: null, error: null });
  });

  test('messages split at every byte are decided', async () => {
    const stream = rawCheckStream(session);
    const bytes = Buffer.concat([
      framedCheck({ tag: 1, sets: sets() }),
      framedCheck({ tag: 2, sets: sets() }),
    ]);
    for (const byte of bytes) {
      stream.bytes(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    await stream.response(2);
    expect(stream.responses.map(({ tag }) => tag)).toEqual([1, 2]);
  });
});

describe('a half-close', () => {
  test('before any check ends the stream with OK', async () => {
    const stream = rawCheckStream(session);
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses).toEqual([]);
  });

  test('behind checks answers them, and ends with OK', async () => {
    const stream = rawCheckStream(session);
    stream.check(...Array.from({ length: 3000 }, (_, tag) => ({ tag, sets: sets() })));
    stream.end();
    expect(await stream.status).toBe(Status.OK);
    expect(stream.responses).toHaveLength(3000);
  });

  test.each([1, 4, 6])('within a message, after %d bytes of it, ends with an error', async (length) => {
    const stream = rawCheckStream(session);
    stream.check({ tag: 1, sets: sets() });
    stream.bytes(framedCheck({ tag: 2, sets: sets() }).subarray(0, length));
    stream.end();
    const status = await stream.status;
    expect([undefined, Status.OK, Status.UNKNOWN]).not.toContain(status);
    await expectServed();
  });
});

describe('a slow peer', () => {
  const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  /** A HEADERS frame of 100 bytes, without END_HEADERS, of which a few bytes come. */
  const HEADERS = Buffer.from([0, 0, 100, 1, 0, 0, 0, 0, 1, 0x82]);

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['half a preface', PREFACE.subarray(0, 10)],
    ['settings and the first byte of its headers', Buffer.concat([PREFACE, SETTINGS, HEADERS])],
  ])('200 connections that send %s delay nobody', async (_, bytes) => {
    const [host = '', port] = served.service.address.split(':');
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), host));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(bytes);
    await expectOpen(rawCheckStream(session));
    await expectServed();
    for (const socket of sockets) socket.destroy();
  });
});

describe('many streams', () => {
  test('1,000 at once from one peer are all served', async () => {
    const streams = Array.from({ length: 1000 }, () => rawCheckStream(session));
    for (const [tag, stream] of streams.entries()) stream.check({ tag, sets: sets(`many ${tag}`) });
    const responses = await Promise.all(streams.map((stream, tag) => stream.response(tag)));
    expect(responses.filter(({ denial, error }) => denial ?? error)).toEqual([]);
    await expectServed();
    for (const stream of streams) stream.end();
    expect(new Set(await Promise.all(streams.map(({ status }) => status)))).toEqual(new Set([Status.OK]));
  });

  test('that open and reset at once do no harm', async () => {
    for (let round = 0; round < 20; round++) {
      const streams = Array.from({ length: 100 }, () => rawCheckStream(session));
      for (const stream of streams) {
        stream.check({ tag: 1, sets: sets('reset') });
        stream.close();
      }
      await Promise.all(streams.map(({ status }) => status));
      if (session.destroyed) session = await connectHttp2(served.service.address);
    }
    await expectServed();
  });
});
