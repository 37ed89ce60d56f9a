import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ipGroup } from '@gatehouse/kit/client-ip';
import { Fault, internal, unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { accessLog } from '../access-log.ts';
import type { ClientAddress } from '../client-address.ts';
import { clientGone, httpError } from '../http-error.ts';
import type { InvalidRequests } from '../limit/invalid-requests.ts';
import type { Overload } from '../overload/overload.ts';
import { endWithError } from '../raw-answer.ts';
import { requestId } from '../request-headers.ts';
import { GATEWAY_PATH } from './is-upgrade.ts';
import { joinSockets, type OnBytes, passAnswer } from './join-sockets.ts';
import { KEEP_ALIVE_MS, type RealtimeReplicas, type Upstream } from './realtime-replicas.ts';
import { headWriter } from './request-head.ts';

/** WebSockets of clients, each passed on to a replica of realtime as bytes that nobody here reads. */
export interface Tunnels {
  /** Takes over the connection of an upgrade. `early` is what came behind the request. */
  open(request: IncomingMessage, client: Socket, early: Buffer): void;
  count(): number;
  /** Ends all of them. */
  destroyAll(): void;
}

/** What is kept of a request. */
interface Asked {
  readonly id: string;
  /** The client's address, IPv6 by /64. */
  readonly address: string;
}

export interface TunnelsOptions {
  readonly replicas: RealtimeReplicas;
  readonly trusted_proxies: readonly string[];
  readonly ipOf: ClientAddress;
  readonly overload: Overload;
  readonly invalid_requests: InvalidRequests;
  readonly log: Logger;
}

export function tunnels(options: TunnelsOptions): Tunnels {
  const { replicas, trusted_proxies, ipOf, overload, invalid_requests, log } = options;
  const writeHead = headWriter(trusted_proxies);
  const writeLog = accessLog({ log }, { path: GATEWAY_PATH });
  const clients = new Set<Socket>();

  /** A tunnel lasts for long: nothing here keeps the request, which `connect` has passed on. */
  async function tunnel(
    asked: Asked,
    opening: Promise<Upstream>,
    client: Socket,
    early: Buffer,
  ): Promise<void> {
    const startedAt = performance.now();
    const { id, address } = asked;
    const finish = (status: number, failure?: unknown): void => {
      invalid_requests.count(address, status, undefined);
      writeLog({ id, method: 'GET' }, status, performance.now() - startedAt, failure, undefined);
    };
    try {
      const upstream = await opening;
      overload.clients.of(client)?.tunnelTo(upstream.socket);
      await pass(client, upstream, early, overload.clients.passed);
      finish(upstream.status);
    } catch (error) {
      const failure = client.destroyed ? clientGone() : faultOf(error);
      if (!client.destroyed) refuse(client, failure, id);
      finish(httpError(failure).status, failure);
    }
  }

  /** As long as it waits for an answer, it is a request under way. */
  async function connect(
    request: IncomingMessage,
    { id, address }: Asked,
    client: Socket,
  ): Promise<Upstream> {
    invalid_requests.admit(address);
    overload.admit();
    if (clients.size > overload.bounds.max_tunnels) {
      overload.refusals.count('connections');
      throw unavailable(new Error('no descriptor is left for another WebSocket'));
    }
    overload.requests.enter(address);
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    client.once('close', abort);
    try {
      return await replicas.open(writeHead(request, id), gone.signal);
    } finally {
      client.off('close', abort);
      overload.requests.leave(address);
    }
  }

  return {
    open: (request, client, early) => {
      clients.add(client);
      client.once('close', () => clients.delete(client));
      client.on('error', () => undefined); // 'close' tells the same
      client.setTimeout(0);
      client.setKeepAlive(true, KEEP_ALIVE_MS);
      const asked = { id: requestId(request), address: ipGroup(ipOf(request)) };
      void tunnel(asked, connect(request, asked, client), client, early);
    },
    count: () => clients.size,
    destroyAll: () => {
      for (const client of clients) client.destroy();
    },
  };
}

/**
 * What the client sends goes only to a WebSocket. Behind another answer realtime might take it for a request, with
 * headers that the edge has not seen.
 */
async function pass(
  client: Socket,
  { socket, status }: Upstream,
  early: Buffer,
  onBytes: OnBytes,
): Promise<void> {
  if (status !== 101) {
    await passAnswer(client, socket, onBytes);
    return;
  }
  if (early.length > 0) socket.write(early);
  await joinSockets(client, socket, onBytes);
}

function refuse(client: Socket, fault: Fault, request_id: string): void {
  client.resume(); // what it still sends is dropped
  endWithError(fault, client, request_id);
}

function faultOf(error: unknown): Fault {
  return error instanceof Fault ? error : internal(error);
}
