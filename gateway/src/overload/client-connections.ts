import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AdmissionQueue } from './admission-queue.ts';
import type { Bounds } from './bounds.ts';
import { ClientConnection } from './client-connection.ts';
import { HeadTurns } from './head-turns.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Refusals } from './refusals.ts';

export interface ClientConnectionsOptions {
  readonly bounds: Bounds;
  readonly refusals: Refusals;
  /** The address under which a peer's connections count; undefined for a trusted proxy. */
  addressOf(peer: string | undefined): string | undefined;
  /** The client's address, IPv6 by /64: the peer's, or the one that a trusted proxy names. */
  clientOf(request: IncomingMessage): string;
}

type Admission = Pick<AdmissionQueue, 'enqueue' | 'mayParse'>;

/** Unsent bytes are counted again after this many written bytes. */
const COUNT_EVERY_BYTES = 4 * 1024 * 1024;
/** The share of the idle connections that is closed at a bound. */
const SHARE_CLOSED = 1 / 16;

/**
 * The connections of all clients, and their bounds. At a bound, idle connections are closed to make room for a new one:
 * first those that never sent a request, then those that have been idle for longest. If none is idle, the new
 * connection is closed.
 */
export class ClientConnections {
  readonly #options: ClientConnectionsOptions;
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #countByAddress = new Map<string, number>();
  readonly #held: HeldBytes;
  readonly #turns = new HeadTurns();
  /** Bytes written since unsent bytes were last counted. */
  #writtenBytes = 0;

  constructor(options: ClientConnectionsOptions) {
    this.#options = options;
    this.#held = new HeldBytes({
      max_bytes: options.bounds.max_head_bytes,
      holders: () => this.#connections.values(),
      onClosed: () => options.refusals.count('head_bytes'),
    });
  }

  /** Watches the connections of a server from now on; the queue starts their requests. */
  follow(server: Server, queue: Admission): void {
    server.on('connection', (socket: Socket) => this.#connect(socket, queue));
  }

  of(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket);
  }

  count(): number {
    return this.#connections.size;
  }

  closeIdle(): void {
    for (const one of [...this.#connections.values()]) if (one.isIdle()) one.socket.destroy();
  }

  /** Memory of unparsed bytes, of incomplete heads, and of unanswered requests' heads. */
  heldBytes(): number {
    return this.#held.total();
  }

  /** Bytes of answers that clients have not read, and of tunnels that the other side has not read. */
  unsentBytes(): number {
    let sum = 0;
    for (const connection of this.#connections.values()) sum += connection.unsentBytes();
    return sum;
  }

  /** To be called with each write of an answer, or to a tunnel. */
  wrote(bytes: number): void {
    this.#writtenBytes += bytes;
    if (this.#writtenBytes < COUNT_EVERY_BYTES) return;
    this.#writtenBytes = 0;
    this.#boundUnsent();
  }

  #connect(socket: Socket, queue: Admission): void {
    const { bounds, addressOf, clientOf } = this.#options;
    const address = addressOf(socket.remoteAddress);
    if (!this.#hasRoom(address)) {
      socket.destroy();
      return;
    }
    const connection = new ClientConnection(socket, {
      address,
      max_pipelined_requests: bounds.max_pipelined_requests,
      clientOf,
      mayParseLongHead: (one) => this.#turns.mayParse(one),
      mayParseNext: (one) => queue.mayParse(one),
      onAnswered: (one) => queue.enqueue(one),
      onHeld: (bytes, client) => this.#held.change(bytes, client),
    });
    this.#connections.set(socket, connection);
    this.#count(address, 1);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#count(address, -1);
    });
  }

  #count(address: string | undefined, change: number): void {
    if (address === undefined) return;
    const count = (this.#countByAddress.get(address) ?? 0) + change;
    if (count > 0) this.#countByAddress.set(address, count);
    else this.#countByAddress.delete(address);
  }

  #hasRoom(address: string | undefined): boolean {
    const { bounds, refusals } = this.#options;
    const ofAddress = address === undefined ? 0 : (this.#countByAddress.get(address) ?? 0);
    if (ofAddress >= bounds.max_connections_per_address) {
      refusals.count('connections_per_address');
      if (!this.#closeLongestIdle((one) => one.address === address)) return false;
    }
    if (this.#connections.size < bounds.max_connections) return true;
    refusals.count('connections');
    return this.#closeLongestIdle(() => true);
  }

  /** Closes a share of the idle connections, first those that never sent a request; false if none is idle. */
  #closeLongestIdle(matches: (connection: ClientConnection) => boolean): boolean {
    const idle = [...this.#connections.values()].filter(
      (one) => matches(one) && one.isIdle() && !one.socket.destroyed,
    );
    idle.sort(
      (one, other) => Number(one.isUsed) - Number(other.isUsed) || one.lastArrival - other.lastArrival,
    );
    const closed = idle.slice(0, Math.ceil(idle.length * SHARE_CLOSED));
    for (const { socket } of closed) socket.destroy();
    return closed.length > 0;
  }

  /** Closes the connections with the most unsent bytes until the sum is within its bound. */
  #boundUnsent(): void {
    const { bounds, refusals } = this.#options;
    let excess = this.unsentBytes() - bounds.max_unsent_bytes;
    if (excess <= 0) return;
    const unsent = [...this.#connections.values()].map((one) => ({
      socket: one.socket,
      bytes: one.unsentBytes(),
    }));
    for (const { socket, bytes } of unsent.sort((one, other) => other.bytes - one.bytes)) {
      if (excess <= 0) return;
      excess -= bytes;
      refusals.count('unsent_bytes');
      socket.destroy();
    }
  }
}
