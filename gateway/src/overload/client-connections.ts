import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AdmissionQueue } from './admission-queue.ts';
import type { Bounds } from './bounds.ts';
import { type ClientConnection, clientConnection } from './client-connection.ts';
import { headTurns } from './head-turns.ts';
import { heldBytes } from './held-bytes.ts';
import type { Refusals } from './refusals.ts';

/** The connections of all clients. */
export interface ClientConnections {
  /** Watches the connections of a server from now on; the queue starts their requests. */
  follow(server: Server, queue: AdmissionQueue): void;
  of(socket: Socket): ClientConnection | undefined;
  count(): number;
  /** Closes the idle ones. */
  closeIdle(): void;
  /** Bytes that have come and are no request yet, and heads of requests that are not answered. */
  heldBytes(): number;
  /** Bytes of answers that clients have not taken, and of tunnels that the other side has not. */
  unsentBytes(): number;
  /** To be called when an answer is written, or bytes of a tunnel, with their length. */
  passed(bytes: number): void;
}

export interface ClientConnectionsOptions {
  readonly bounds: Bounds;
  readonly refusals: Refusals;
  /** The address under which a peer's connections count; undefined for a trusted proxy. */
  addressOf(peer: string | undefined): string | undefined;
  /** The client's address, IPv6 by /64: the peer, or whom a trusted proxy names. */
  clientOf(request: IncomingMessage): string;
}

/** After so many bytes, those that were not taken are counted. */
const COUNT_EVERY_BYTES = 4 * 1024 * 1024;
/** The share of the idle connections that is closed when a bound is met. */
const SHARE_CLOSED = 1 / 16;

/**
 * Bounds the connections of an HTTP server's clients. At a bound, those that never brought a request and then those
 * that were idle for the longest are closed to make room for a new one; where none is idle, the new one is closed.
 */
export function clientConnections(options: ClientConnectionsOptions): ClientConnections {
  const { bounds, refusals, addressOf, clientOf } = options;
  const connections = new Map<Socket, ClientConnection>();
  const counts = new Map<string, number>();
  const held = heldBytes({
    max_bytes: bounds.max_head_bytes,
    holders: () => connections.values(),
    onClosed: () => refusals.count('head_bytes'),
  });
  const turns = headTurns();
  let passedBytes = 0;

  function connect(socket: Socket, queue: AdmissionQueue): void {
    const address = addressOf(socket.remoteAddress);
    if (!hasRoom(address)) {
      socket.destroy();
      return;
    }
    const connection = clientConnection(socket, {
      address,
      max_pipelined_requests: bounds.max_pipelined_requests,
      clientOf,
      mayGoOn: turns.mayGoOn,
      mayParseNext: () => queue.mayParse(connection),
      onAnswered: () => queue.enqueue(connection),
      onHeld: held.change,
    });
    connections.set(socket, connection);
    if (address !== undefined) add(counts, address, 1);
    socket.once('close', () => forget(connection));
  }

  function forget({ socket, address }: ClientConnection): void {
    connections.delete(socket);
    if (address !== undefined) add(counts, address, -1);
  }

  function hasRoom(address: string | undefined): boolean {
    if (address !== undefined && (counts.get(address) ?? 0) >= bounds.max_connections_per_address) {
      refusals.count('connections_per_address');
      if (!closeLongestIdle((one) => one.address === address)) return false;
    }
    if (connections.size < bounds.max_connections) return true;
    refusals.count('connections');
    return closeLongestIdle(() => true);
  }

  /** Closes a share of the idle connections, first those that never brought a request; false when none is idle. */
  function closeLongestIdle(isMeant: (connection: ClientConnection) => boolean): boolean {
    const idle = [...connections.values()].filter(
      (one) => isMeant(one) && one.isIdle() && !one.socket.destroyed,
    );
    idle.sort(
      (one, other) => Number(one.isUsed) - Number(other.isUsed) || one.lastArrival - other.lastArrival,
    );
    const closed = idle.slice(0, Math.ceil(idle.length * SHARE_CLOSED));
    for (const { socket } of closed) socket.destroy();
    return closed.length > 0;
  }

  function unsentBytes(): number {
    let sum = 0;
    for (const connection of connections.values()) sum += connection.unsentBytes();
    return sum;
  }

  /** Closes the connections with the most unsent bytes until the rest is within the bound. */
  function boundUnsent(): void {
    let excess = unsentBytes() - bounds.max_unsent_bytes;
    if (excess <= 0) return;
    const unsent = [...connections.values()].map((one) => ({ socket: one.socket, bytes: one.unsentBytes() }));
    for (const { socket, bytes } of unsent.sort((one, other) => other.bytes - one.bytes)) {
      if (excess <= 0) return;
      excess -= bytes;
      refusals.count('unsent_bytes');
      socket.destroy();
    }
  }

  function passed(bytes: number): void {
    passedBytes += bytes;
    if (passedBytes < COUNT_EVERY_BYTES) return;
    passedBytes = 0;
    boundUnsent();
  }

  return {
    follow: (server, queue) => {
      server.on('connection', (socket: Socket) => connect(socket, queue));
    },
    of: (socket) => connections.get(socket),
    count: () => connections.size,
    closeIdle: () => {
      for (const one of [...connections.values()]) if (one.isIdle()) one.socket.destroy();
    },
    heldBytes: held.total,
    unsentBytes,
    passed,
  };
}

/** Adds to a count, and drops it when it is 0. */
function add(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
