import type { Arrived, ClientConnection } from './client-connection.ts';

/** Starts the requests that have arrived. */
export interface AdmissionQueue {
  /** Queues a connection that has a request waiting and may start one. To be called when either becomes so. */
  enqueue(connection: ClientConnection): void;
  /** Whether more of what a connection sends may be parsed now. If not, the connection is resumed later. */
  mayParse(connection: ClientConnection): boolean;
}

export interface AdmissionQueueOptions {
  /** Most requests of one connection that are under way at once. */
  readonly max_pipelined_requests: number;
  start(arrived: Arrived): void;
}

/** How many requests start in one go: their calls leave in one frame. */
const BATCH = 32;
/**
 * While so many connections are queued, nothing more is parsed: a waiting request takes kilobytes, and one turn of
 * the event loop could parse a hundred thousand of them from thousands of connections.
 */
const MAX_QUEUED = 4 * BATCH;

/**
 * Starts requests after all sockets that are ready have been read: a batch at a time, and of each connection one
 * before the next. So a client that pipelines many requests does not delay the others; and the services get work in
 * small frames, where one frame with everything would keep one process busy while the others wait.
 */
export function admissionQueue({ max_pipelined_requests, start }: AdmissionQueueOptions): AdmissionQueue {
  /** The queued connections, each once, from `next` on. */
  let queue: ClientConnection[] = [];
  let next = 0;
  let scheduled = false;
  /** Connections that are not parsed, in the order in which they stopped. */
  const paused = new Set<ClientConnection>();
  /** Connections that were resumed: they may be parsed until a request of theirs has arrived. */
  const resumed = new WeakSet<ClientConnection>();

  function enqueue(connection: ClientConnection): void {
    if (connection.isQueued || !canStart(connection)) return;
    connection.isQueued = true;
    queue.push(connection);
    schedule();
  }

  function canStart({ waiting, started }: ClientConnection): boolean {
    return waiting.length > 0 && started < max_pipelined_requests;
  }

  function mayParse(connection: ClientConnection): boolean {
    const hasWaiting = connection.waiting.length > 0;
    if (hasWaiting) resumed.delete(connection);
    // While connections are paused, one that has a request waiting gives way to them.
    const hasRoom = queue.length - next < MAX_QUEUED && !(hasWaiting && paused.size > 0);
    if (hasRoom || resumed.has(connection)) return true;
    paused.add(connection);
    return false;
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(startBatch);
  }

  function startBatch(): void {
    scheduled = false;
    for (let count = 0; count < BATCH && next < queue.length; count++) {
      const connection = queue[next++] as ClientConnection;
      connection.isQueued = false;
      startOne(connection);
      enqueue(connection);
    }
    dropStarted();
    resumePaused();
    if (next < queue.length || paused.size > 0) schedule();
  }

  function startOne(connection: ClientConnection): void {
    const arrived = connection.waiting.shift();
    if (arrived === undefined || connection.socket.destroyed) return;
    connection.started++;
    start(arrived);
  }

  /** Shortens the queue now and then: each time would cost a copy. */
  function dropStarted(): void {
    if (next < queue.length && next < BATCH * 8) return;
    queue = queue.slice(next);
    next = 0;
  }

  function resumePaused(): void {
    const room = Math.min(BATCH, MAX_QUEUED - (queue.length - next));
    for (const connection of [...paused.values().take(Math.max(room, 0))]) {
      paused.delete(connection);
      resumed.add(connection);
      connection.resume();
    }
  }

  return { enqueue, mayParse };
}
