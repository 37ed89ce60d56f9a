import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';

/** The address of an edge. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** A fake replica of realtime: a WebSocket server that echoes. */
export interface Realtime {
  readonly address: string;
  /** Its upgrades, in order. */
  readonly upgrades: IncomingMessage[];
  readonly server: WebSocketServer;
  close(): Promise<void>;
}

export async function startRealtime(port = 0): Promise<Realtime> {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  const upgrades: IncomingMessage[] = [];
  server.on('connection', (socket, request) => {
    upgrades.push(request);
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  await once(server, 'listening');
  return {
    address: addressOf(server.address() as AddressInfo),
    upgrades,
    server,
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A server of bare TCP. */
export interface TcpServer {
  readonly address: string;
  readonly sockets: Socket[];
  close(): Promise<void>;
}

export async function startTcp(onSocket: (socket: Socket) => void): Promise<TcpServer> {
  const sockets: Socket[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: addressOf(server.address() as AddressInfo),
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Accepts connections, and sends nothing until they end. */
export function startSilent(): Promise<TcpServer> {
  return startTcp((socket) => socket.resume().once('end', () => socket.end()));
}

/** An address without a listener. */
export async function deadAddress(): Promise<string> {
  return `127.0.0.1:${await freePort()}`;
}

export const SWITCHING =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Answers the head of an upgrade with 101, and then reports later bytes. */
export function switching(then: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    let head = '';
    socket.on('data', function read(chunk: Buffer) {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      socket.write(SWITCHING);
      then(socket);
    });
  };
}

const KEY = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];

/** The bytes of an upgrade. */
export function upgrade(lines: readonly string[] = [], target = '/gateway'): string {
  const headers = ['Host: gatehouse', 'Connection: Upgrade', 'Upgrade: websocket', ...KEY, ...lines];
  return [`GET ${target} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}

/** Sends bytes on a new connection, and returns the status of the answer with the connection. */
export async function sendBytes(
  { host, port }: Address,
  bytes: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = connect({ host, port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(10_000) });
  return { status: Number(String(answer).split(' ')[1]), socket };
}

/** Opens a WebSocket through the edge. */
export async function openWebSocket(
  { host, port }: Address,
  options: ClientOptions & { readonly query?: string } = {},
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${host}:${port}/gateway${options.query ?? ''}`, options);
  await once(socket, 'open');
  return socket;
}

/** Sends text, and returns the next message. */
export async function echo(socket: WebSocket, text: string | Buffer): Promise<Buffer> {
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
  socket.send(text);
  const [data] = await answered;
  return data as Buffer;
}

function addressOf({ port }: AddressInfo): string {
  return `127.0.0.1:${port}`;
}
