import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Fault, internal, unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { ipGroup } from '@gatehouse/kit/net/client-ip';
import { accessLog } from '../access-log.ts';
import type { ClientAddress } from '../client-address.ts';
import { clientGone, httpError } from '../http-error.ts';
import type { InvalidRequests } from '../limit/invalid-requests.ts';
import type { Overload } from '../overload/overload.ts';
import { endWithError } from '../raw-answer.ts';
import { requestId } from '../request-headers.ts';
import { type EarlyBytes, earlyBytes } from './early-bytes.ts';
import { GATEWAY_PATH } from './is-upgrade.ts';
import { joinSockets, type OnBytes, passAnswer } from './join-sockets.ts';
import { KEEP_ALIVE_MS, type RealtimeReplicas, type Upstream } from './realtime-replicas.ts';
import { headWriter } from './request-head.ts';

/** WebSockets of clients, each passed on to a replica of realtime as bytes that nobody here reads. */
export interface Tunnels {
  /** Takes over the connection of an upgrade. `first` is what came with the request, behind it. */
  open(request: IncomingMessage, client: Socket, first: Buffer): void;
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

  /** A tunnel lasts for long: nothing here keeps the request. */
  async function tunnel(
    asked: Asked,
    opening: Promise<Upstream>,
    client: Socket,
    early: EarlyBytes,
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
      await pass(client, upstream, early.take(), overload.clients.passed);
      finish(upstream.status);
    } catch (error) {
      early.take();
      const failure = client.destroyed ? clientGone() : faultOf(error);
      if (!client.destroyed) refuse(client, failure, id);
      finish(httpError(failure).status, failure);
    }
  }

  /** The head as realtime gets it, or why it does not. */
  function admittedHead(request: IncomingMessage, { id, address }: Asked): Buffer | Fault {
    try {
      invalid_requests.admit(address);
      overload.admit();
      if (clients.size <= overload.bounds.max_tunnels) return writeHead(request, id);
      overload.refusals.count('connections');
      return unavailable(new Error('no descriptor is left for another WebSocket'));
    } catch (error) {
      return faultOf(error);
    }
  }

  /** As long as it waits for an answer, it is a request under way, and what is kept of it counts as a head. */
  async function connect(
    head: Buffer | Fault,
    asked: Asked,
    client: Socket,
    early: EarlyBytes,
  ): Promise<Upstream> {
    if (head instanceof Fault) throw head;
    const { address } = asked;
    const connection = overload.clients.of(client);
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    overload.requests.enter(address);
    client.once('close', abort);
    early.onCount((bytes) => connection?.keeps(head.length + bytes, address));
    try {
      return await replicas.open(head, gone.signal);
    } finally {
      early.onCount(() => undefined);
      connection?.keeps(0, address);
      client.off('close', abort);
      overload.requests.leave(address);
    }
  }

  return {
    open: (request, client, first) => {
      clients.add(client);
      client.once('close', () => clients.delete(client));
      client.on('error', () => undefined); // 'close' tells the same
      client.setTimeout(0);
      client.setKeepAlive(true, KEEP_ALIVE_MS);
      const asked = { id: requestId(request), address: ipGroup(ipOf(request)) };
      const early = earlyBytes(client, first);
      void tunnel(asked, connect(admittedHead(request, asked), asked, client, early), client, early);
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
