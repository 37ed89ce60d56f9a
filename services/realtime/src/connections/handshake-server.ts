import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { isGatewayPath } from './query.ts';
import { type RefusalStatus, refuseRequest, refuseSocket } from './refusal.ts';
import type { Settings } from './settings.ts';

export interface HandshakeServer {
  readonly server: Server;
  /** Of a socket that has become a WebSocket. */
  opened(socket: Socket): void;
  /** Connections that have sent no whole request yet. */
  count(): number;
  cutAll(): void;
}

export interface HandshakeServerOptions {
  readonly settings: Settings;
  /** A request at the Gateway's path that asks for an upgrade. */
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
  readonly onRefused: (status: RefusalStatus) => void;
  readonly onCut: () => void;
}

const MAX_HEADER_BYTES = 16 * 1024;

/** Node's HTTP server, which takes WebSocket handshakes and answers nothing else. */
export function handshakeServer(options: HandshakeServerOptions): HandshakeServer {
  const { settings, upgrade, onRefused, onCut } = options;
  const handshakes = new Set<Socket>();
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: settings.handshake_within_ms,
    requestTimeout: settings.handshake_within_ms,
    connectionsCheckingInterval: Math.min(settings.handshake_within_ms, 1_000),
  });

  // The oldest one goes: who is connecting in earnest sends a request at once.
  server.on('connection', (socket: Socket) => {
    handshakes.add(socket);
    socket.once('close', () => handshakes.delete(socket));
    if (handshakes.size <= settings.max_handshakes) return;
    for (const oldest of handshakes) {
      handshakes.delete(oldest);
      oldest.destroy();
      onCut();
      break;
    }
  });
  server.on('request', (request, response) => {
    const status = isGatewayPath(request.url ?? '') && request.method === 'GET' ? 426 : 404;
    onRefused(status);
    refuseRequest(status, response);
  });
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) socket.destroy();
    else if (isGatewayPath(request.url ?? '') && request.method === 'GET') upgrade(request, socket, head);
    else {
      onRefused(404);
      refuseSocket(404, { socket, request, within_ms: settings.close_within_ms });
    }
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET' || !(socket instanceof Socket)) socket.destroy();
    else {
      const status = statusOf(error.code);
      onRefused(status);
      refuseSocket(status, { socket, within_ms: settings.close_within_ms });
    }
  });

  return {
    server,
    opened: (socket) => void handshakes.delete(socket),
    count: () => handshakes.size,
    cutAll: () => {
      for (const socket of handshakes) socket.destroy();
    },
  };
}

function statusOf(code: string | undefined): RefusalStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
