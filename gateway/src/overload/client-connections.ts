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
  /** The IP group under which a peer's connections count; undefined for a trusted proxy. */
  groupOfPeer(peer: string | undefined): string | undefined;
  /** The client's IP group: the peer's, or that of the address that a trusted proxy names. */
  groupOfClient(request: IncomingMessage): string;
}

type Admission = Pick<AdmissionQueue, 'enqueue' | 'hasRoomFor'>;

/** Unsent bytes are counted again after this many written bytes. */
const COUNT_EVERY_BYTES = 4 * 1024 * 1024;
/** While the server closes, a client that has just connected has this long to send its request. */
const FIRST_REQUEST_MS = 1_000;
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
  readonly #countByGroup = new Map<string, number>();
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

  /** Closes the idle connections. A new one may still send its first request for a second. */
  closeIdle(): void {
    const newSince_ms = performance.now() - FIRST_REQUEST_MS;
    for (const connection of [...this.#connections.values()]) {
      const isNew = !connection.isUsed && connection.openedAt_ms > newSince_ms;
      if (connection.isIdle() && !isNew) connection.socket.destroy();
    }
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
    const { bounds, groupOfPeer, groupOfClient } = this.#options;
    const ipGroup = groupOfPeer(socket.remoteAddress);
    if (!this.#hasRoom(ipGroup)) {
      socket.destroy();
      return;
    }
    const connection = new ClientConnection(socket, {
      ipGroup,
      max_pipelined_requests: bounds.max_pipelined_requests,
      groupOfClient,
      hasHeadTurn: (parsed) => this.#turns.hasTurn(parsed),
      hasQueueRoom: (parsed) => queue.hasRoomFor(parsed),
      onAnswered: (answered) => queue.enqueue(answered),
      onHeld: (bytes, holder) => this.#held.change(bytes, holder),
    });
    this.#connections.set(socket, connection);
    this.#count(ipGroup, 1);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#count(ipGroup, -1);
    });
  }

  #count(ipGroup: string | undefined, change: number): void {
    if (ipGroup === undefined) return;
    const count = (this.#countByGroup.get(ipGroup) ?? 0) + change;
    if (count > 0) this.#countByGroup.set(ipGroup, count);
    else this.#countByGroup.delete(ipGroup);
  }

  #hasRoom(ipGroup: string | undefined): boolean {
    const { bounds, refusals } = this.#options;
    const ofGroup = ipGroup === undefined ? 0 : (this.#countByGroup.get(ipGroup) ?? 0);
    if (ofGroup >= bounds.max_connections_per_address) {
      refusals.count('connections_per_address');
      if (!this.#closeLongestIdle((connection) => connection.ipGroup === ipGroup)) return false;
    }
    if (this.#connections.size < bounds.max_connections) return true;
    refusals.count('connections');
    return this.#closeLongestIdle(() => true);
  }

  /** Closes a share of the idle connections, first those that never sent a request; false if none is idle. */
  #closeLongestIdle(matches: (connection: ClientConnection) => boolean): boolean {
    const idle = [...this.#connections.values()].filter(
      (connection) => matches(connection) && connection.isIdle() && !connection.socket.destroyed,
    );
    idle.sort((a, b) => Number(a.isUsed) - Number(b.isUsed) || a.lastArrival - b.lastArrival);
    const closed = idle.slice(0, Math.ceil(idle.length * SHARE_CLOSED));
    for (const { socket } of closed) socket.destroy();
    return closed.length > 0;
  }

  /** Closes the connections with the most unsent bytes until the sum is within its bound. */
  #boundUnsent(): void {
    const { bounds, refusals } = this.#options;
    let excess = this.unsentBytes() - bounds.max_unsent_bytes;
    if (excess <= 0) return;
    const unsent = [...this.#connections.values()].map((connection) => ({
      socket: connection.socket,
      bytes: connection.unsentBytes(),
    }));
    for (const { socket, bytes } of unsent.sort((a, b) => b.bytes - a.bytes)) {
      if (excess <= 0) return;
      excess -= bytes;
      refusals.count('unsent_bytes');
      socket.destroy();
    }
  }
}
