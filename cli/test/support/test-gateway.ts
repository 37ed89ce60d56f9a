import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type Frame, Op, readFrame } from '../../src/gateway-client/frames.ts';

/** A Gateway whose frames a test sends one by one. */
export interface TestGateway {
  readonly url: string;
  /** The URL of an API whose GET /api/v1/gateway returns this Gateway. */
  readonly base_url: string;
  /** The next connection, after Hello. */
  accept(hello?: object): Promise<TestClient>;
  /** The next connection, without Hello. */
  acceptSilently(): Promise<TestClient>;
  close(): Promise<void>;
}

export interface TestClient {
  /** The path and query of the request. */
  readonly path: string;
  /** The `d` of the next frame of this op. */
  take(op: number): Promise<unknown>;
  send(frame: unknown): void;
  sendRaw(data: string | Buffer): void;
  /** Sends a Dispatch with the next `s`. */
  dispatch(t: string, d?: object): void;
  close(code?: number): void;
  /** Without a Close frame. */
  terminate(): void;
  /** The close code of the client. */
  readonly closed: Promise<number>;
}

const HELLO = { heartbeat_interval: 41_250 };

export async function testGateway(): Promise<TestGateway> {
  const http = createServer((_, response) => {
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ url: `ws://${host()}/gateway` }));
  });
  const server = new WebSocketServer({ server: http });
  const clients = queue<TestClient>();
  server.on('connection', (socket, { url = '' }) => clients.add(clientOf(socket, url)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');

  function host(): string {
    return `127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on TCP
  }

  return {
    url: `ws://${host()}/gateway`,
    base_url: `http://${host()}`,
    acceptSilently: () => clients.next(),
    accept: async (hello = HELLO) => {
      const client = await clients.next();
      client.send({ op: Op.HELLO, d: hello, s: null, t: null });
      return client;
    },
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

function clientOf(socket: WebSocket, path: string): TestClient {
  const frames = new Map<number, ReturnType<typeof queue<Frame>>>();
  const framesOf = (op: number) => {
    const found = frames.get(op) ?? queue<Frame>();
    frames.set(op, found);
    return found;
  };
  socket.on('message', (data: RawData) => {
    const frame = readFrame(String(data));
    if (frame !== undefined) framesOf(frame.op).add(frame);
  });
  let s = 0;
  const send = (frame: unknown) => socket.send(JSON.stringify(frame));
  return {
    path,
    take: async (op) => (await framesOf(op).next()).d,
    send,
    sendRaw: (data) => socket.send(data),
    dispatch: (t, d = {}) => {
      s += 1;
      send({ op: Op.DISPATCH, d, s, t });
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    closed: once(socket, 'close').then(([code]) => Number(code)),
  };
}

/** Items in order; next() may be called before its item is added. */
function queue<T>() {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    add(item: T): void {
      const next = waiting.shift();
      if (next === undefined) items.push(item);
      else next(item);
    },
    next(): Promise<T> {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item);
    },
  };
}
