import type { ClientConnection, Exchange } from './client-connection.ts';

export interface AdmissionQueueOptions {
  /** Maximum requests of one connection under way at once. */
  readonly max_pipelined_requests: number;
  start(exchange: Exchange): void;
}

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
  readonly #options: AdmissionQueueOptions;
  /** The queued connections, each once, from `#next` on. */
  #queue: ClientConnection[] = [];
  #next = 0;
  #isScheduled = false;
  /** Connections that are not parsed, in the order in which they stopped. */
  readonly #paused = new Set<ClientConnection>();
  /** Resumed connections: they may be parsed until a request of theirs has arrived. */
  readonly #resumed = new WeakSet<ClientConnection>();

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
  }

  /** Queues a connection that has a request waiting and may start one. To be called when either becomes true. */
  enqueue(connection: ClientConnection): void {
    if (connection.isQueued || !this.#canStart(connection)) return;
    connection.isQueued = true;
    this.#queue.push(connection);
    this.#schedule();
  }

  /** Whether more of a connection's bytes may be parsed now. If not, the connection is resumed later. */
  mayParse(connection: ClientConnection): boolean {
    const hasWaiting = connection.waiting.length > 0;
    if (hasWaiting) this.#resumed.delete(connection);
    // A connection with a request waiting gives way to paused ones.
    const hasRoom = this.#queued() < MAX_QUEUED && !(hasWaiting && this.#paused.size > 0);
    if (hasRoom || this.#resumed.has(connection)) return true;
    this.#paused.add(connection);
    return false;
  }

  #canStart({ waiting, started }: ClientConnection): boolean {
    return waiting.length > 0 && started < this.#options.max_pipelined_requests;
  }

  #queued(): number {
    return this.#queue.length - this.#next;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#startBatch);
  }

  readonly #startBatch = (): void => {
    this.#isScheduled = false;
    for (let count = 0; count < BATCH && this.#queued() > 0; count++) {
      const connection = this.#queue[this.#next++] as ClientConnection;
      connection.isQueued = false;
      this.#startOne(connection);
      this.enqueue(connection);
    }
    this.#dropStarted();
    this.#resumePaused();
    if (this.#queued() > 0 || this.#paused.size > 0) this.#schedule();
  };

  #startOne(connection: ClientConnection): void {
    const exchange = connection.waiting.shift();
    if (exchange === undefined || connection.socket.destroyed) return;
    connection.started++;
    this.#options.start(exchange);
  }

  /** Shortens the queue, but not each time: that would cost a copy. */
  #dropStarted(): void {
    if (this.#queued() > 0 && this.#next < BATCH * 8) return;
    this.#queue = this.#queue.slice(this.#next);
    this.#next = 0;
  }

  #resumePaused(): void {
    const room = Math.min(BATCH, MAX_QUEUED - this.#queued());
    for (const connection of [...this.#paused.values().take(Math.max(room, 0))]) {
      this.#paused.delete(connection);
      this.#resumed.add(connection);
      connection.resume();
    }
  }
}
