import { connect as connectSocket, type Socket } from 'node:net';

/** A WebSocket client that can violate the protocol. */
export interface RawClient {
  readonly socket: Socket;
  /** The status, head and body of the answer to the handshake. */
  readonly status: number;
  readonly answer: string;
  /** The next text message of the server, parsed. */
  next(): Promise<Message>;
  /** The next control frame except close frames. */
  nextControl(): Promise<RawFrame>;
  /** Sends a text message. */
  send(message: unknown): void;
  sendText(text: string): void;
  sendFrame(opcode: number, payload?: Buffer | string, options?: FrameOptions): void;
  /** Sends frames as bytes in one write. */
  write(bytes: Buffer): void;
  close(code?: number): void;
  /** The server's close code; `none` if the connection ended without a close frame. */
  closed(): Promise<number | 'none'>;
  /** Settles when both directions have ended. */
  gone(): Promise<void>;
}

export interface Message {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

export interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export interface FrameOptions {
  readonly fin?: boolean;
  readonly masked?: boolean;
  readonly rsv?: number;
}

export interface ConnectOptions {
  readonly path?: string;
  readonly method?: string;
  /** Headers that replace or extend those of the handshake; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly localAddress?: string;
  /** Does not answer a close frame. */
  readonly is_rude?: boolean;
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const TEXT = 1;
const CLOSE = 8;

/** Sends a handshake, and resolves with any answer. */
export async function connect(address: string, options: ConnectOptions = {}): Promise<RawClient> {
  const [host = '', port] = address.split(':');
  const socket = connectSocket({ host, port: Number(port), localAddress: options.localAddress });
  socket.on('error', () => undefined);
  socket.write(handshake(address, options));
  const incoming = incomingOf(socket, options.is_rude === true);
  const answer = await incoming.answer;
  return {
    socket,
    answer,
    status: Number(answer.split(' ')[1]),
    next: async () => JSON.parse((await incoming.texts.next()).toString()) as Message,
    nextControl: () => incoming.controls.next(),
    send: (message) => socket.write(frameBytes(TEXT, JSON.stringify(message))),
    sendText: (text) => socket.write(frameBytes(TEXT, text)),
    sendFrame: (opcode, payload, frameOptions) => socket.write(frameBytes(opcode, payload, frameOptions)),
    write: (bytes) => socket.write(bytes),
    close: (code) => socket.write(frameBytes(CLOSE, code === undefined ? '' : codeBytes(code))),
    closed: () => incoming.closed,
    gone: () => incoming.gone,
  };
}

export function frameBytes(
  opcode: number,
  payload: Buffer | string = '',
  { fin = true, masked = true, rsv = 0 }: FrameOptions = {},
): Buffer {
  const data = Buffer.from(payload);
  const mask = Buffer.from([1, 2, 3, 4]);
  const length = Buffer.from(
    data.length < 126
      ? [data.length]
      : data.length < 65_536
        ? [126, data.length >> 8, data.length & 255]
        : [127, 0, 0, 0, 0, ...uint32(data.length)],
  );
  if (masked) length[0] = (length[0] ?? 0) | 0x80;
  const first = Buffer.from([(fin ? 0x80 : 0) | (rsv << 4) | opcode]);
  if (!masked) return Buffer.concat([first, length, data]);
  const hidden = data.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([first, length, mask, hidden]);
}

function uint32(value: number): number[] {
  return [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function codeBytes(code: number): Buffer {
  return Buffer.from([code >> 8, code & 255]);
}

function handshake(address: string, { path = '/gateway', method = 'GET', headers }: ConnectOptions): string {
  const all: Record<string, string | undefined> = {
    host: address,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': KEY,
    'sec-websocket-version': '13',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) =>
    value === undefined ? '' : `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

interface Incoming {
  readonly answer: Promise<string>;
  readonly texts: Queue<Buffer>;
  readonly controls: Queue<RawFrame>;
  readonly closed: Promise<number | 'none'>;
  readonly gone: Promise<void>;
}

function incomingOf(socket: Socket, isRude: boolean): Incoming {
  const answer = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<number | 'none'>();
  const gone = Promise.withResolvers<void>();
  const texts = queue<Buffer>();
  const controls = queue<RawFrame>();
  let bytes = Buffer.alloc(0);
  let isOpen = false;

  function take({ opcode, payload }: RawFrame): void {
    if (opcode === TEXT) texts.push(payload);
    else if (opcode !== CLOSE) controls.push({ opcode, payload });
    else {
      closed.resolve(payload.length < 2 ? 1005 : payload.readUInt16BE(0));
      if (isRude) return;
      socket.end(frameBytes(CLOSE, payload));
    }
  }

  function readHead(): boolean {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = bytes.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 101')) return false; // the body ends with the connection
    answer.resolve(head);
    bytes = bytes.subarray(end + 4);
    return true;
  }

  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    isOpen ||= readHead();
    for (let frame = isOpen ? frameOf(bytes) : undefined; frame !== undefined; frame = frameOf(bytes)) {
      bytes = bytes.subarray(frame.bytes);
      take(frame);
    }
  });
  socket.on('close', () => {
    answer.resolve(bytes.toString());
    closed.resolve('none');
    gone.resolve();
    texts.end();
    controls.end();
  });
  return { answer: answer.promise, texts, controls, closed: closed.promise, gone: gone.promise };
}

function frameOf(bytes: Buffer): (RawFrame & { readonly bytes: number }) | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1);
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const length = head === 2 ? short : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < head + length) return undefined;
  const payload = Buffer.from(bytes.subarray(head, head + length));
  return { opcode: bytes.readUInt8(0) & 15, payload, bytes: head + length };
}

interface Queue<T> {
  push(item: T): void;
  end(): void;
  next(): Promise<T>;
}

function queue<T>(): Queue<T> {
  const items: T[] = [];
  const takers: PromiseWithResolvers<T>[] = [];
  let isOver = false;
  return {
    push: (item) => {
      const taker = takers.shift();
      if (taker) taker.resolve(item);
      else items.push(item);
    },
    end: () => {
      isOver = true;
      for (const taker of takers) taker.reject(new Error('the connection has ended'));
    },
    next: () => {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve(item);
      if (isOver) return Promise.reject(new Error('the connection has ended'));
      const taker = Promise.withResolvers<T>();
      takers.push(taker);
      return taker.promise;
    },
  };
}
