import type { ClientConnection, Exchange } from './client-connection.ts';

/** Maximum requests that start in one turn of the event loop: their calls share a frame. */
const BATCH = 32;
/**
 * While this many connections are queued, nothing more is parsed: a waiting request takes kilobytes, and one turn of the
 * event loop could parse a hundred thousand of them from thousands of connections.
 */
const MAX_QUEUED = 4 * BATCH;

/**
 * Starts requests in batches, after all readable sockets have been read, and takes connections in turn. So a client that
 * pipelines many requests does not delay the others, and the services get work in small frames: a large frame would keep
 * one process busy while the others wait.
 */
export class AdmissionQueue {
  readonly #start: (exchange: Exchange) => void;
  readonly #queue = new Set<ClientConnection>();
  #isScheduled = false;
  /** Connections that are not parsed, in the order in which they stopped. */
  readonly #paused = new Set<ClientConnection>();
  /** Resumed connections: they may be parsed until a request of theirs has arrived. */
  readonly #resumed = new WeakSet<ClientConnection>();

  constructor(start: (exchange: Exchange) => void) {
    this.#start = start;
  }

  /** Queues a connection that has a request waiting and may start one. To be called when either becomes true. */
  enqueue(connection: ClientConnection): void {
    if (this.#queue.has(connection) || !connection.mayStart()) return;
    this.#queue.add(connection);
    this.#schedule();
  }

  /** Whether more of a connection's bytes may be parsed now. If not, the connection is resumed later. */
  hasRoomFor(connection: ClientConnection): boolean {
    const hasWaiting = connection.hasWaiting();
    if (hasWaiting) this.#resumed.delete(connection);
    // A connection with a request waiting gives way to paused ones.
    const hasRoom = this.#queue.size < MAX_QUEUED && !(hasWaiting && this.#paused.size > 0);
    if (hasRoom || this.#resumed.has(connection)) return true;
    this.#paused.add(connection);
    return false;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#startBatch);
  }

  readonly #startBatch = (): void => {
    this.#isScheduled = false;
    for (const connection of this.#queue.values().take(BATCH)) {
      this.#queue.delete(connection);
      const exchange = connection.startNext();
      if (exchange !== undefined) this.#start(exchange);
      this.enqueue(connection); // at the end, where this loop finds it again
    }
    this.#resumePaused();
    if (this.#queue.size > 0 || this.#paused.size > 0) this.#schedule();
  };

  #resumePaused(): void {
    const room = Math.min(BATCH, MAX_QUEUED - this.#queue.size);
    for (const connection of [...this.#paused.values().take(Math.max(room, 0))]) {
      this.#paused.delete(connection);
      this.#resumed.add(connection);
      connection.resume();
    }
  }
}
