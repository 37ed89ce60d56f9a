import { concurrency } from '@gatehouse/kit/queues/concurrency';
import type { Connection } from '../connections/connection.ts';

export interface PendingRequestsOptions {
  /** Requests that run at once; others wait. */
  readonly at_once: number;
  readonly max_waiting: number;
  readonly onFailure: (connection: Connection, error: unknown) => void;
}

/** The Identifies and Resumes that are not answered yet. */
export class PendingRequests {
  readonly #onFailure: PendingRequestsOptions['onFailure'];
  readonly #limited: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #byConnection = new Map<Connection, AbortController>();
  readonly #running = new Set<Promise<void>>();

  constructor({ at_once, max_waiting, onFailure }: PendingRequestsOptions) {
    this.#limited = concurrency({ at_once, max_waiting });
    this.#onFailure = onFailure;
  }

  /** Runs a request when fewer than `at_once` run. Its signal is aborted when the client disconnects. */
  start(connection: Connection, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const disconnected = new AbortController();
    this.#byConnection.set(connection, disconnected);
    const done = this.#run(connection, disconnected.signal, work).finally(() => {
      this.#byConnection.delete(connection);
      this.#running.delete(done);
    });
    this.#running.add(done);
    return done;
  }

  has(connection: Connection): boolean {
    return this.#byConnection.has(connection);
  }

  /** The request is answered. */
  finish(connection: Connection): void {
    this.#byConnection.delete(connection);
  }

  /** The client has disconnected. */
  abort(connection: Connection): void {
    this.#byConnection.get(connection)?.abort();
    this.#byConnection.delete(connection);
  }

  /** Resolves when all requests so far are done. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(
    connection: Connection,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#limited(async () => {
        if (!signal.aborted) await work(signal);
      });
    } catch (error) {
      if (!signal.aborted) this.#onFailure(connection, error);
    }
  }
}
