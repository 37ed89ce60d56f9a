import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { QUERY } from './use-gateway.ts';

/** A WebSocket on a plain TCP socket, for malformed frames. */
export interface RawSocket {
  write(bytes: string | Uint8Array): void;
  /** The frames of the server so far. */
  frames(): ServerFrame[];
  /** Calls `find` whenever bytes arrive and at the end, until it returns a value. */
  until<T>(what: string, find: () => T | undefined): Promise<T>;
  /** The code of the server's close frame once the connection is closed; 1006 without one. */
  closed(): Promise<number>;
  readonly is_open: boolean;
  destroy(): void;
}

export interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Opcodes of RFC 6455, section 5.2. */
export const WIRE = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const;

const WITHIN_MS = 30_000;

/** The handshake's request, with `more` header lines. */
export function upgrade(path = `/gateway${QUERY}`, more: readonly string[] = []): string {
  return [
    `GET ${path} HTTP/1.1`,
    'Host: gatehouse',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...more,
    '',
    '',
  ].join('\r\n');
}

/** Opens a TCP connection and sends bytes at once. `frames` skips the handshake's response. */
export async function openRaw(url: string, first = upgrade()): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  let isOpen = true;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const ask of [...waiting]) ask();
  };
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    wake();
  });
  socket.on('error', () => undefined); // `close` follows
  socket.on('close', () => {
    isOpen = false;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.write(first);

  const frames = () => {
    const head = received.indexOf('\r\n\r\n');
    return head < 0 ? [] : framesIn(received.subarray(head + 4));
  };
  function until<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new Error(`${what}: not in time`))), WITHIN_MS);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        waiting.delete(ask);
        end();
      };
      const ask = () => {
        const found = find();
        if (found !== undefined) settle(() => resolve(found));
        else if (!isOpen) settle(() => reject(new Error(`${what}: closed after ${received}`)));
      };
      waiting.add(ask);
      ask();
    });
  }

  return {
    write: (bytes) => void socket.write(bytes),
    frames,
    until,
    closed: () =>
      until('the end', () => {
        if (isOpen) return undefined;
        const payload = frames().find(({ opcode }) => opcode === WIRE.CLOSE)?.payload;
        return payload === undefined || payload.length < 2 ? 1006 : payload.readUInt16BE(0);
      }),
    get is_open() {
      return isOpen;
    },
    destroy: () => socket.destroy(),
  };
}

/** Opens a Gateway connection and waits for Hello. */
export async function openRawGateway(url: string, more?: readonly string[]): Promise<RawSocket> {
  const socket = await openRaw(url, upgrade(undefined, more));
  await socket.until('Hello', () => socket.frames().at(0));
  return socket;
}

export interface FrameParts {
  readonly opcode?: number;
  readonly payload?: string | Uint8Array;
  /** Last frame of its message. Default: true. */
  readonly fin?: boolean;
  readonly masked?: boolean;
  /** The three reserved bits. */
  readonly rsv?: number;
  /** The announced length, if not the payload's. */
  readonly length?: bigint;
}

/** A client's frame. The defaults make it valid. */
export function frame({
  opcode = WIRE.TEXT,
  payload = '',
  fin = true,
  masked = true,
  rsv = 0,
  length,
}: FrameParts): Buffer {
  const data = Buffer.from(payload);
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const head = Buffer.concat([Buffer.from([first]), lengthOf(length ?? BigInt(data.length), masked)]);
  if (!masked) return Buffer.concat([head, data]);
  const mask = randomBytes(4);
  const hidden = data.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, mask, hidden]);
}

function lengthOf(length: bigint, masked: boolean): Buffer {
  const bit = masked ? 0x80 : 0;
  if (length < 126n) return Buffer.from([bit | Number(length)]);
  const long = Buffer.alloc(length < 65_536n ? 3 : 9);
  long[0] = bit | (long.length === 3 ? 126 : 127);
  if (long.length === 3) long.writeUInt16BE(Number(length), 1);
  else long.writeBigUInt64BE(length, 1);
  return long;
}

function framesIn(data: Buffer): ServerFrame[] {
  const found: ServerFrame[] = [];
  let at = 0;
  while (data.length >= at + 2) {
    const opcode = data.readUInt8(at) & 0xf;
    let length = data.readUInt8(at + 1);
    let head = 2;
    if (length === 126) {
      if (data.length < at + 4) break;
      length = data.readUInt16BE(at + 2);
      head = 4;
    } else if (length === 127) {
      if (data.length < at + 10) break;
      length = Number(data.readBigUInt64BE(at + 2));
      head = 10;
    }
    if (data.length < at + head + length) break;
    found.push({ opcode, payload: data.subarray(at + head, at + head + length) });
    at += head + length;
  }
  return found;
}
