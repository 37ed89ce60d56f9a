import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Logger } from '@gatehouse/kit/log';
import { clientIp } from '@gatehouse/kit/net/client-ip';
import { hostAndPort } from '@gatehouse/kit/net/host-port';
import type { Bounds } from '../config.ts';
import type { Gateway } from './connection.ts';
import { type ConnectionCounts, connectionCounts, countOne } from './counts.ts';
import { drainConnections } from './drain.ts';
import { flushQueue } from './flush-queue.ts';
import { gatewaySockets } from './gateway-socket.ts';
import { handshakeServer } from './handshake-server.ts';
import { type OpenConnection, openConnection, type Shared } from './open-connection.ts';
import { places } from './places.ts';
import { queryProblem } from './query.ts';
import { commonHeaders, type RefusalStatus, refuseSocket } from './refusal.ts';
import { SETTINGS, type Settings, ticksOf } from './settings.ts';
import { waitingBound } from './waiting-bound.ts';

export interface ConnectionsOptions {
  /** host:port */
  readonly listen: string;
  readonly gateway: Gateway;
  readonly bounds: Pick<Bounds, 'max_connections' | 'max_connections_per_address' | 'max_waiting_bytes'>;
  /** CIDRs of the proxies whose X-Forwarded-For is believed. */
  readonly trusted_proxies: readonly string[];
  /** Whether clients may have frames compressed. */
  readonly deflate: boolean;
  readonly log: Logger;
  /** Those that differ. */
  readonly settings?: Partial<Settings>;
}

export interface Connections {
  /** host:port */
  readonly address: string;
  count(): number;
  /** For metrics. */
  state(): ConnectionsState;
  stopAccepting(): void;
  /** Sends op 7 to all, spread over the time, and closes them with 1001. Resolves when all have gone, or soon after. */
  drain(spread_ms: number): Promise<void>;
  /** Cuts off what is left. */
  close(): Promise<void>;
}

export interface ConnectionsState extends Readonly<ConnectionCounts> {
  readonly connections: number;
  readonly accepted: number;
  readonly handshakes: number;
  readonly waiting_bytes: number;
}

const BACKLOG = 4_096;

/** Serves the Gateway's WebSockets. Resolves when it listens. */
export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const settings = { ...SETTINGS, ...options.settings };
  const all = new Set<OpenConnection>();
  const counts = connectionCounts();
  const waiting = waitingBound(options.bounds.max_waiting_bytes, () => all);
  const { gateway, log } = options;
  const ending = new Set<OpenConnection>();
  const shared: Shared = { gateway, settings, log, counts, queue: flushQueue(), waiting, ending };
  const accept = acceptor({ ...options, settings, all, shared });
  const handshakes = handshakeServer({
    settings,
    onRefused: (status) => countOne(counts.refused, status),
    onCut: () => {
      counts.cut_handshakes++;
    },
    upgrade: (request, socket, head) => accept.upgrade(request, socket, head, handshakes.opened),
  });
  const { server } = handshakes;
  const { host, port } = hostAndPort(options.listen);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const listening = server.address();
  const { all_ms, ending_ms } = ticksOf(settings);
  const ticks = [
    setInterval(() => {
      tick(all);
      waiting.count();
    }, all_ms),
    setInterval(() => tick(ending), ending_ms),
  ];
  let closed: Promise<void> | undefined;

  function stopAccepting(): void {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    accept.stop();
    handshakes.cutAll();
  }

  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${typeof listening === 'object' ? listening?.port : port}`,
    count: () => all.size,
    state: () => ({
      ...counts,
      connections: all.size,
      accepted: [...all].filter((connection) => connection.isAccepted()).length,
      handshakes: handshakes.count(),
      waiting_bytes: waiting.bytes(),
    }),
    stopAccepting,
    drain: (spread_ms) => drainConnections(all, spread_ms, settings),
    close: async () => {
      stopAccepting();
      for (const connection of all) connection.cut();
      await closed;
      for (const one of ticks) clearInterval(one);
    },
  };
}

function tick(connections: Iterable<OpenConnection>): void {
  const now = performance.now();
  for (const connection of connections) connection.tick(now);
}

interface AcceptorOptions extends ConnectionsOptions {
  readonly settings: Settings;
  readonly all: Set<OpenConnection>;
  readonly shared: Shared;
}

/** Makes connections of upgrade requests, as far as the bounds allow. */
function acceptor({ bounds, trusted_proxies, deflate, settings, all, shared, log }: AcceptorOptions) {
  const sockets = gatewaySockets(deflate);
  const connectionPlaces = places<OpenConnection>(bounds, (idle) => {
    shared.counts.displaced++;
    idle.displace();
  });
  const addressOf = clientIp(trusted_proxies, log);
  let isStopped = false;
  let lastId = 0;

  function refuse(status: RefusalStatus, socket: Socket, request: IncomingMessage): void {
    countOne(shared.counts.refused, status);
    refuseSocket(status, { socket, request, within_ms: settings.close_within_ms });
  }

  sockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(commonHeaders(request))) lines.push(`${name}: ${value}`);
  });
  sockets.on('wsClientError', (_error, socket, request) => {
    if (socket instanceof Socket) refuse(400, socket, request);
    else socket.destroy();
  });

  return {
    stop: () => {
      isStopped = true;
    },
    upgrade: (
      request: IncomingMessage,
      socket: Socket,
      head: Buffer,
      opened: (socket: Socket) => void,
    ): void => {
      const forwarded = request.headers['x-forwarded-for'];
      const address = addressOf(socket.remoteAddress, forwarded?.toString());
      const refusal = isStopped ? 503 : connectionPlaces.refusal(address);
      if (refusal !== undefined) {
        refuse(refusal, socket, request);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (ws) => {
        opened(socket);
        shared.counts.opened++;
        const problem = queryProblem(request.url ?? '');
        const place = connectionPlaces.take(address);
        const waits = (isUnidentified: boolean): void => place.waits(connection, isUnidentified);
        const connection = openConnection({ id: ++lastId, address, ws, socket, waits }, shared);
        all.add(connection);
        waits(true);
        socket.once('close', () => {
          all.delete(connection);
          shared.ending.delete(connection);
          place.leave(connection);
        });
        if (problem !== undefined) connection.close(problem);
      });
    },
  };
}
