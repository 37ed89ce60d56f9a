import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Inbox } from './inbox.ts';

export interface ClientFrame {
  readonly op: number;
  readonly d: unknown;
}

/** The server's end of a client's connection. */
export interface ServerConnection {
  readonly frames: Inbox<ClientFrame>;
  /** Resolves with the client's close code. */
  readonly closed: Promise<number>;
  /** The requested path with its query. */
  readonly path: string;
  send(op: number, d: unknown): void;
  text(text: string): void;
  event(s: number, t: string, d?: unknown): void;
  ready(session_id?: string): void;
  close(code: number): void;
  /** Bytes that the client has not read. */
  waitingBytes(): number;
}

/** A Gateway that sends Hello, and everything else as its test says. */
export interface ScriptedGateway {
  readonly baseUrl: string;
  readonly connections: Inbox<ServerConnection>;
  /** The answers to `GET /gateway`, before the right one. */
  readonly answers: { readonly status: number; readonly body: string }[];
  /** Whether it acknowledges Heartbeats; not by default. */
  acknowledges: boolean;
}

/** In place of a Heartbeat interval, for a Gateway that sends no Hello. */
export const SILENT = 0;

/** Starts a Gateway, which stops with its test. */
export function useScriptedGateway(): (heartbeat_interval?: number) => Promise<ScriptedGateway> {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  return async (heartbeat_interval = 41_250) => {
    const answers: ScriptedGateway['answers'] = [];
    const connections = new Inbox<ServerConnection>('a connection');
    const gateway = { baseUrl: '', connections, answers, acknowledges: false };
    const server = createServer((_request, response) => {
      const { status, body } = answers.shift() ?? { status: 200, body: JSON.stringify({ url: url() }) };
      response.writeHead(status).end(body);
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, { url: path = '' }) => {
      connections.put(connectionOf(socket, path, `${url()}/resume`));
      socket.on('message', (data) => {
        if (gateway.acknowledges && JSON.parse(String(data)).op === 1) socket.send(ACKNOWLEDGEMENT);
      });
      if (heartbeat_interval !== SILENT)
        socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval }, s: null, t: null }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const url = () => `ws://127.0.0.1:${port}`;
    closers.push(async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return Object.assign(gateway, { baseUrl: `http://127.0.0.1:${port}` });
  };
}

const ACKNOWLEDGEMENT = JSON.stringify({ op: 11, d: null, s: null, t: null });

function connectionOf(socket: WebSocket, path: string, resume_gateway_url: string): ServerConnection {
  const frames = new Inbox<ClientFrame>('a frame');
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('message', (data) => frames.put(JSON.parse(String(data))));
  const sendFrame = (frame: object) => socket.send(JSON.stringify(frame));
  const event = (s: number, t: string, d: unknown = {}) => sendFrame({ op: 0, d, s, t });
  return {
    frames,
    closed,
    path,
    event,
    send: (op, d) => sendFrame({ op, d, s: null, t: null }),
    text: (text) => socket.send(text),
    ready: (session_id = 'one') => event(1, 'READY', { v: 1, session_id, resume_gateway_url }),
    close: (code) => socket.close(code),
    waitingBytes: () => socket.bufferedAmount,
  };
}
