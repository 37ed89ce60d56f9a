import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@gatehouse/kit/log';
import { clientIp } from '@gatehouse/kit/net/client-ip';
import { hostAndPort } from '@gatehouse/kit/net/host-port';
import type { WebSocket } from 'ws';
import type { Bounds } from '../config.ts';
import { ClientConnection, type ConnectionContext } from './client-connection.ts';
import type { RequestHandler } from './connection.ts';
import { type ConnectionCounts, connectionCounts, countOne } from './connection-counts.ts';
import { type ConnectionSettings, DEFAULT_SETTINGS, tickIntervals } from './connection-settings.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { drainConnections } from './drain-connections.ts';
import { FlushQueue } from './flush-queue.ts';
import { queryProblem } from './gateway-url.ts';
import { HandshakeServer } from './handshake-server.ts';
import { OutputLimit } from './output-limit.ts';
import { type RefusalStatus, refuseSocket } from './refusal.ts';
import { webSocketServer } from './web-socket-server.ts';

export interface GatewayServerOptions {
  readonly handler: RequestHandler;
  readonly bounds: Pick<Bounds, 'max_connections' | 'max_connections_per_address' | 'max_waiting_bytes'>;
  /** CIDRs of the proxies whose X-Forwarded-For is trusted. */
  readonly trusted_proxies: readonly string[];
  /** Whether clients may compress frames. */
  readonly deflate: boolean;
  readonly log: Logger;
  /** Overrides of the defaults. */
  readonly settings?: Partial<ConnectionSettings>;
}

export interface GatewayServerState extends Readonly<ConnectionCounts> {
  readonly connections: number;
  readonly accepted: number;
  readonly handshakes: number;
  readonly waiting_bytes: number;
}

const BACKLOG = 4_096;

/** Serves the Gateway's WebSockets. */
export class GatewayServer {
  readonly #settings: ConnectionSettings;
  readonly #connections = new Set<ClientConnection>();
  readonly #shared: ConnectionContext;
  readonly #handshakes: HandshakeServer;
  readonly #slots: ConnectionSlots<ClientConnection>;
  readonly #addressOf: (remote: string | undefined, forwarded: string | undefined) => string;
  readonly #upgrade: (
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    done: (ws: WebSocket) => void,
  ) => void;
  #lastId = 0;
  #address = '';
  /** Timers while there are connections. */
  #ticks: readonly NodeJS.Timeout[] = [];
  #stopped: Promise<void> | undefined;

  constructor({ handler, bounds, trusted_proxies, deflate, log, settings }: GatewayServerOptions) {
    this.#settings = { ...DEFAULT_SETTINGS, ...settings };
    const counts = connectionCounts();
    this.#shared = {
      handler,
      settings: this.#settings,
      log,
      counts,
      queue: new FlushQueue(),
      output: new OutputLimit(bounds.max_waiting_bytes, () => this.#connections),
      closing: new Set(),
    };
    this.#slots = new ConnectionSlots(bounds, (connection) => {
      counts.displaced++;
      connection.displace();
    });
    this.#addressOf = clientIp(trusted_proxies, log);
    const sockets = webSocketServer(deflate, (socket, request) => this.#refuse(400, socket, request));
    this.#upgrade = sockets.handleUpgrade.bind(sockets);
    this.#handshakes = new HandshakeServer({
      settings: this.#settings,
      onRefused: (status) => countOne(counts.refused, status),
      onCut: () => {
        counts.cut_handshakes++;
      },
      upgrade: (request, socket, head) => this.#onUpgrade(request, socket, head),
    });
  }

  /** @param listen host:port */
  async listen(listen: string): Promise<void> {
    const { server } = this.#handshakes;
    const { host, port } = hostAndPort(listen);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const listening = server.address();
    const listeningPort = typeof listening === 'object' ? listening?.port : port;
    this.#address = `${host.includes(':') ? `[${host}]` : host}:${listeningPort}`;
  }

  /** host:port */
  get address(): string {
    return this.#address;
  }

  /** The state for metrics. */
  state(): GatewayServerState {
    return {
      ...this.#shared.counts,
      connections: this.#connections.size,
      accepted: [...this.#connections].filter((connection) => connection.isAccepted()).length,
      handshakes: this.#handshakes.count(),
      waiting_bytes: this.#shared.output.bytes(),
    };
  }

  stopAccepting(): void {
    this.#stopped ??= new Promise((resolve) => this.#handshakes.server.close(() => resolve()));
    this.#handshakes.cutAll();
  }

  /** Asks all clients to reconnect, spread over the time. Resolves when they have left, or soon after. */
  async drain(spread_ms: number): Promise<void> {
    await drainConnections(this.#connections, spread_ms, this.#settings);
  }

  /** Cuts the connections that are left. */
  async close(): Promise<void> {
    this.stopAccepting();
    for (const connection of this.#connections) connection.cut();
    await this.#stopped;
    this.#stopTicks();
  }

  #startTicks(): void {
    if (this.#ticks.length > 0) return;
    const { all_ms, closing_ms } = tickIntervals(this.#settings);
    const tickAll = (): void => {
      tick(this.#connections);
      this.#shared.output.recount();
      if (this.#connections.size === 0) this.#stopTicks();
    };
    this.#ticks = [setInterval(tickAll, all_ms), setInterval(() => tick(this.#shared.closing), closing_ms)];
  }

  #stopTicks(): void {
    for (const timer of this.#ticks) clearInterval(timer);
    this.#ticks = [];
  }

  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const forwarded = request.headers['x-forwarded-for'];
    const address = this.#addressOf(socket.remoteAddress, forwarded?.toString());
    const refusal = this.#stopped === undefined ? this.#slots.refusal(address) : 503;
    if (refusal !== undefined) this.#refuse(refusal, socket, request);
    else this.#upgrade(request, socket, head, (ws) => this.#open(ws, socket, address, request.url ?? ''));
  }

  #open(ws: WebSocket, socket: Socket, address: string, url: string): void {
    this.#handshakes.opened(socket);
    this.#shared.counts.opened++;
    const slot = this.#slots.take(address);
    const setUnidentified = (is: boolean): void => slot.setUnidentified(connection, is);
    const options = { id: ++this.#lastId, address, ws, socket, setUnidentified };
    const connection = new ClientConnection(options, this.#shared);
    this.#connections.add(connection);
    this.#startTicks();
    setUnidentified(true);
    socket.once('close', () => {
      this.#connections.delete(connection);
      this.#shared.closing.delete(connection);
      slot.release(connection);
    });
    const problem = queryProblem(url);
    if (problem !== undefined) connection.close(problem);
  }

  #refuse(status: RefusalStatus, socket: Socket, request: IncomingMessage): void {
    countOne(this.#shared.counts.refused, status);
    refuseSocket(status, { socket, request, within_ms: this.#settings.close_within_ms });
  }
}

function tick(connections: Iterable<ClientConnection>): void {
  const now = performance.now();
  for (const connection of connections) connection.tick(now);
}
