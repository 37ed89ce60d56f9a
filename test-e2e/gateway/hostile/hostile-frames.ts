import { describe, expect, it } from 'vitest';
import { newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { OP } from '../support/codes.ts';
import { type FrameParts, frame, openRawGateway, type RawSocket, WIRE } from '../support/raw-socket.ts';
import type { Gateway } from '../support/use-gateway.ts';

const HEARTBEAT = '{"op":1,"d":null}';
/** WebSocket protocol errors (invalid, unsupported, too big), and the Gateway's decode error. */
const REFUSED = [1002, 1003, 1006, 1007, 1008, 1009, 4002];

/** Malformed frames and texts. */
export function hostileFrames(stack: TestStack, gateway: Gateway): void {
  const open = () => openRawGateway(stack.url);
  const acks = (socket: RawSocket) =>
    socket.frames().filter(({ opcode, payload }) => opcode === WIRE.TEXT && payload.includes('"op":11'))
      .length;
  const acked = (socket: RawSocket, count = 1) =>
    socket.until(`${count} acks`, () => (acks(socket) >= count ? true : undefined));

  describe('a frame that violates the protocol closes its connection', () => {
    const BROKEN: [name: string, ...FrameParts[]][] = [
      ['no mask', { payload: HEARTBEAT, masked: false }],
      ['invalid UTF-8', { payload: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }],
      ['an incomplete UTF-8 sequence', { payload: Buffer.from([0x22, 0xf0, 0x9f, 0x91]) }],
      ['a surrogate', { payload: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) }],
      ['reserved bits', { payload: HEARTBEAT, rsv: 7 }],
      ['a compressed frame without negotiation', { payload: HEARTBEAT, rsv: 4 }],
      ['opcode 3', { payload: HEARTBEAT, opcode: 3 }],
      ['opcode 15', { payload: HEARTBEAT, opcode: 15 }],
      ['a continuation without a start', { payload: HEARTBEAT, opcode: WIRE.CONTINUATION }],
      ['a text frame inside a fragmented message', { payload: '{', fin: false }, { payload: HEARTBEAT }],
      ['a long ping', { payload: 'x'.repeat(126), opcode: WIRE.PING }],
      ['a fragmented ping', { payload: 'x', opcode: WIRE.PING, fin: false }],
      ['a close with half a code', { payload: Buffer.from([3]), opcode: WIRE.CLOSE }],
      ['a close with a reserved code', { payload: Buffer.from([3, 0xed]), opcode: WIRE.CLOSE }],
      ['an announced length of 1 GiB', { length: 1n << 30n }],
      ['an announced length of 2^63 - 1', { length: (1n << 63n) - 1n }],
      ['a negative length', { length: 1n << 63n }],
      ['17 KiB', { payload: 'x'.repeat(17 * 1024) }],
      ['a megabyte', { payload: 'x'.repeat(1024 * 1024) }],
    ];

    it.each(BROKEN)('%s', async (_, ...parts) => {
      const socket = await open();
      for (const each of parts) socket.write(frame(each));
      expect(REFUSED).toContain(await socket.closed());
    });
  });

  describe('a fragmented message', () => {
    it('is accepted, with a ping between its frames', async () => {
      const socket = await open();
      socket.write(frame({ payload: HEARTBEAT.slice(0, 5), fin: false }));
      socket.write(frame({ opcode: WIRE.PING, payload: 'x' }));
      socket.write(frame({ payload: HEARTBEAT.slice(5), opcode: WIRE.CONTINUATION }));
      await acked(socket);
      expect(socket.frames().map(({ opcode }) => opcode)).toContain(WIRE.PONG);
      socket.destroy();
    });

    it('without end closes the connection once it is too long', async () => {
      const socket = await open();
      socket.write(frame({ payload: '{', fin: false }));
      const part = frame({ payload: ' '.repeat(64), opcode: WIRE.CONTINUATION, fin: false });
      for (let n = 0; n < 300; n += 1) socket.write(part);
      expect(REFUSED).toContain(await socket.closed());
    });

    it('of endless single bytes closes the connection too', async () => {
      const socket = await open();
      socket.write(frame({ payload: '{', fin: false }));
      const part = frame({ payload: ' ', opcode: WIRE.CONTINUATION, fin: false });
      socket.write(Buffer.concat(Array.from({ length: 16 * 1024 }, () => part)));
      expect(REFUSED).toContain(await socket.closed());
    });
  });

  it('a frame that arrives byte by byte is accepted', async () => {
    const { token } = await newcomer(stack.api);
    const socket = await open();
    for (const byte of frame({ payload: JSON.stringify({ op: OP.IDENTIFY, d: { token } }) })) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    await socket.until('READY', () => socket.frames().find(({ payload }) => payload.includes('"READY"')));
    socket.destroy();
  });

  it('200 frames in one write count as 200: at most 120 are answered', async () => {
    const socket = await open();
    const one = frame({ payload: HEARTBEAT });
    socket.write(Buffer.concat(Array.from({ length: 200 }, () => one)));
    expect(await socket.closed()).toBe(4008);
    expect(acks(socket)).toBeLessThanOrEqual(120);
  });

  it('thousands of pings do not affect other connections', async () => {
    const socket = await open();
    const ping = frame({ opcode: WIRE.PING, payload: 'x'.repeat(125) });
    for (let n = 0; n < 50; n += 1) socket.write(Buffer.concat(Array.from({ length: 200 }, () => ping)));
    const session = await gateway.identify((await newcomer(stack.api)).token);
    expect(session.connection.is_open).toBe(true);
    socket.destroy();
  });

  describe('an unusual text is answered or refused', () => {
    const deep = (letter: string) => letter.repeat(2000);
    const ODD: [name: string, text: string][] = [
      ['deep lists', `{"op":1,"d":${deep('[')}${deep(']')}}`],
      ['unterminated lists', deep('[')],
      ['__proto__', '{"__proto__":{"op":1},"d":null}'],
      ['Identify with __proto__', '{"op":2,"d":{"__proto__":{"token":"x"}}}'],
      ['Identify with a constructor', '{"op":2,"d":{"token":{"constructor":{"name":"x"}}}}'],
      ['Identify with d as a list', '{"op":2,"d":["token"]}'],
      ['Resume with a seq that is a string', '{"op":6,"d":{"token":"x","session_id":"x","seq":"1"}}'],
      ['Resume with a negative seq', '{"op":6,"d":{"token":"x","session_id":"x","seq":-1}}'],
      ['Resume with a fractional seq', '{"op":6,"d":{"token":"x","session_id":"x","seq":0.5}}'],
      ['an infinite number', '{"op":1e999,"d":null}'],
      ['an op that is a string', '{"op":"2","d":{}}'],
      ['a byte-order mark', `\ufeff${HEARTBEAT}`],
      ['spaces only', '   '],
      ['a NUL', `${HEARTBEAT}\u0000`],
    ];

    it.each(ODD)('%s', async (_, text) => {
      const connection = await gateway.connect();
      connection.send(text);
      // A response or a close code, and not 4000 (unknown error).
      connection.send({ op: OP.HEARTBEAT, d: null });
      const answer = await connection.until('an answer', () => connection.frames[1] ?? connection.ended());
      expect('code' in answer ? answer.code : answer.op, JSON.stringify(answer)).not.toBe(4000);
      await gateway.connect();
    });
  });
}
