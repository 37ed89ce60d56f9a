import { describe, expect, it } from 'vitest';
import { HEARTBEAT, IDENTIFY, testConnections } from './support/connections.ts';
import { frameBytes } from './support/raw-client.ts';

const BINARY = 2;
const TEXT = 1;
const CONTINUATION = 0;
const ACK = { op: 11, d: null, s: null, t: null };

/** A text of exactly this many bytes. */
function padded(message: object, bytes: number): string {
  const bare = JSON.stringify({ ...message, pad: '' });
  return JSON.stringify({ ...message, pad: 'x'.repeat(bytes - bare.length) });
}

describe('a frame', () => {
  it.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['an array', '[1]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"x"'],
    ['JSON with trailing text', '{"op":1,"d":null} x'],
    ['no op', '{}'],
    ['an op as a string', '{"op":"2","d":{"token":"right"}}'],
    ['an op that is not an integer', '{"op":1.5,"d":null}'],
    ['an op that is null', '{"op":null,"d":null}'],
    ['an op that is infinite', '{"op":1e999,"d":null}'],
    ['objects without end', '{"d":'.repeat(800)],
    ['arrays in arrays', `{"op":1,"d":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
    ['a Heartbeat with a string', '{"op":1,"d":"1"}'],
    ['a Heartbeat with a fraction', '{"op":1,"d":0.5}'],
    ['a Heartbeat with an object', '{"op":1,"d":{}}'],
    ['an Identify without d', '{"op":2}'],
    ['an Identify with an array', '{"op":2,"d":[]}'],
    ['an Identify without a token', '{"op":2,"d":{}}'],
    ['a token that is a number', '{"op":2,"d":{"token":1}}'],
    ['a Resume without d', '{"op":6,"d":null}'],
    ['a Resume without a token', '{"op":6,"d":{"session_id":"a","seq":1}}'],
    ['a Resume without a session', '{"op":6,"d":{"token":"right","seq":1}}'],
    ['a Resume without a sequence number', '{"op":6,"d":{"token":"right","session_id":"a"}}'],
    [
      'a Resume with a string as sequence number',
      '{"op":6,"d":{"token":"right","session_id":"a","seq":"1"}}',
    ],
  ])('with %s is closed with 4002', async (_what, text) => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendText(text);

    expect(await opened.closed()).toBe(4002);
    await opened.gone();
  });

  it('that is binary is closed with 4002', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendFrame(BINARY, JSON.stringify(HEARTBEAT));

    expect(await opened.closed()).toBe(4002);
  });

  it('with invalid UTF-8 is closed with 4002', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendFrame(TEXT, Buffer.from('{"op":1,"d":null,"x":"\xff"}', 'latin1'));

    expect(await opened.closed()).toBe(4002);
  });

  it('may have unknown members', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendText('{"__proto__":{"op":9},"op":1,"d":null,"s":7,"t":[],"x":{}}');

    expect(await opened.next()).toEqual(ACK);
  });

  it('has at most 4,096 bytes', async () => {
    const { client } = await testConnections();
    const right = await client();
    const wrong = await client();

    right.sendText(padded(HEARTBEAT, 4_096));
    wrong.sendText(padded(HEARTBEAT, 4_097));

    expect(await right.next()).toEqual(ACK);
    expect(await wrong.closed()).toBe(4002);
  });

  it('has at most 15 KiB if it is an Identify', async () => {
    const { client } = await testConnections();
    const right = await client();
    const wrong = await client();

    right.sendText(padded(IDENTIFY, 15 * 1024));
    wrong.sendText(padded(IDENTIFY, 15 * 1024 + 1));

    expect(await right.next()).toMatchObject({ op: 0, t: 'READY' });
    expect(await wrong.closed()).toBe(4002);
  });

  it('is refused by its announced length', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.write(Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4]));

    expect(await opened.closed()).toBe(4002);
  });

  it('may be fragmented, with a ping between the fragments', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendFrame(TEXT, '{"op":', { fin: false });
    opened.sendFrame(9, 'ping');
    opened.sendFrame(CONTINUATION, '1,"d":', { fin: false });
    opened.sendFrame(CONTINUATION, 'null}');

    expect(await opened.nextControl()).toEqual({ opcode: 10, payload: Buffer.from('ping') });
    expect(await opened.next()).toEqual(ACK);
  });

  it('may arrive byte by byte', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.socket.setNoDelay();
    for (const byte of frameBytes(TEXT, JSON.stringify(IDENTIFY))) {
      opened.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(await opened.next()).toMatchObject({ op: 0, t: 'READY' });
  });

  it('in too many fragments is closed with 4002', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendFrame(TEXT, '', { fin: false });
    opened.write(
      Buffer.concat(Array.from({ length: 200 }, () => frameBytes(CONTINUATION, '', { fin: false }))),
    );

    expect(await opened.closed()).toBe(4002);
  });

  it('with fragments that are too long together is closed with 4002', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.sendFrame(TEXT, ' '.repeat(10_000), { fin: false });
    opened.sendFrame(CONTINUATION, ' '.repeat(10_000), { fin: false });

    expect(await opened.closed()).toBe(4002);
  });

  it.each([
    ['without a mask', frameBytes(TEXT, '{}', { masked: false })],
    ['with a reserved bit', frameBytes(TEXT, '{}', { rsv: 4 })],
    ['of an unknown kind', frameBytes(5, '{}')],
    ['that continues nothing', frameBytes(CONTINUATION, '{}')],
    ['a fragmented control frame', frameBytes(9, '', { fin: false })],
  ])('%s is a protocol error: 1002', async (_what, bytes) => {
    const { client, handler } = await testConnections();
    const opened = await client();

    opened.write(bytes);

    expect(await opened.closed()).toBe(1002);
    await opened.gone();
    expect(handler.ends).toEqual([]);
  });
});
