import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionSettings } from './connection-settings.ts';
import { isGatewayPath } from './gateway-url.ts';
import { type RefusalStatus, refuseRequest, refuseSocket } from './refusal.ts';

export interface HandshakeServerOptions {
  readonly settings: ConnectionSettings;
  /** Handles an upgrade request for the Gateway's path. */
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
  readonly onRefused: (status: RefusalStatus) => void;
  readonly onCut: () => void;
}

const MAX_HEADER_BYTES = 16 * 1024;

/** Node's HTTP server for WebSocket handshakes. It refuses all other requests. */
export class HandshakeServer {
  readonly server: Server;
  readonly #options: HandshakeServerOptions;
  /** Connections that have not sent a whole request yet, the oldest first. */
  readonly #handshakes = new Set<Socket>();

  constructor(options: HandshakeServerOptions) {
    this.#options = options;
    const { handshake_within_ms } = options.settings;
    this.server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: handshake_within_ms,
      requestTimeout: handshake_within_ms,
      connectionsCheckingInterval: Math.min(handshake_within_ms, 1_000),
    });
    this.server.on('connection', (socket: Socket) => this.#onConnection(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      this.server.on(event, (request, response) => this.#onRequest(request, response));
    this.server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
    this.server.on('clientError', (error: Error & { code?: string }, socket) =>
      this.#onClientError(error, socket),
    );
  }

  /** Call it when a socket has become a WebSocket. */
  opened(socket: Socket): void {
    this.#handshakes.delete(socket);
  }

  count(): number {
    return this.#handshakes.size;
  }

  cutAll(): void {
    for (const socket of this.#handshakes) socket.destroy();
  }

  /** Beyond the maximum the oldest connection is cut: a real client sends its request at once. */
  #onConnection(socket: Socket): void {
    this.#handshakes.add(socket);
    socket.once('close', () => this.#handshakes.delete(socket));
    if (this.#handshakes.size <= this.#options.settings.max_handshakes) return;
    for (const oldest of this.#handshakes) {
      this.#handshakes.delete(oldest);
      oldest.destroy();
      this.#options.onCut();
      break;
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const status = isHandshake(request) ? 426 : 404;
    this.#options.onRefused(status);
    refuseRequest(status, response);
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) socket.destroy();
    else if (isHandshake(request)) this.#options.upgrade(request, socket, head);
    else this.#refuse(404, socket, request);
  }

  #onClientError(error: Error & { code?: string }, socket: Duplex): void {
    if (!(socket instanceof Socket)) socket.destroy();
    else if (error.code === 'ECONNRESET') socket.destroy();
    else this.#refuse(statusOf(error.code), socket);
  }

  #refuse(status: RefusalStatus, socket: Socket, request?: IncomingMessage): void {
    this.#options.onRefused(status);
    refuseSocket(status, { socket, request, within_ms: this.#options.settings.close_within_ms });
  }
}

function isHandshake({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && isGatewayPath(url);
}

function statusOf(code: string | undefined): RefusalStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
