import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Pool } from 'pg';
import { cutConnection } from '../db/cut-connection.ts';
import type { Logger } from '../log.ts';
import { throttledLog } from '../throttled-log.ts';
import { withTimeout } from '../with-timeout.ts';

/** The channel of NOTIFY. Channels are per database, and each log has its own database. */
const CHANNEL = 'event_log';
/** Shorter than the time for which an announcement has listeners poll (ACTIVE_MS in ./poll-pace.ts). */
const ANNOUNCE_EVERY_MS = 1_000;
/** Keeps the connection in the tables of firewalls, and notices if one has dropped it. */
const KEEP_ALIVE_AFTER_MS = 30_000;
const LISTEN_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A server that does not answer must not delay the exit of a process. */
const CLOSE_TIMEOUT_MS = 500;
const FAILURE_LOG_EVERY_MS = 60_000;

/** How processes announce to each other that a log has new events. */
export interface AnnouncementChannel {
  /** Tells every listening process, this one included. At most once a second: see PollPace. Never throws. */
  announce(): void;
  /** Calls `heard` for each announcement, and whenever listening begins. Repeated calls have no effect. */
  listen(heard: () => void): void;
  /** Whether announcements arrive, as far as this process can tell. */
  isListening(): boolean;
  /** Listens on a new connection. */
  reconnect(): void;
  /** Stops listening. `listen` begins again. */
  stop(): void;
  /** Settles once nothing runs. Call `stop` first. */
  close(): Promise<void>;
}

/**
 * Announcements by NOTIFY, in a transaction of its own after the commit: within the commit, its lock would make commits
 * wait for each other. Listens on a connection beside the pool.
 */
export class Announcements implements AnnouncementChannel {
  readonly #db: Pool;
  readonly #logFailure: (error: unknown) => void;
  #announcedAt_ms = Number.NEGATIVE_INFINITY;
  #announcing: Promise<unknown> | undefined;
  #stopping: AbortController | undefined;
  #running: Promise<void> | undefined;
  #isListening = false;
  /** Ends the current connection. */
  #endConnection: (() => void) | undefined;

  constructor(db: Pool, log: Logger) {
    this.#db = db;
    this.#logFailure = throttledLog<unknown>(
      (times, error) => log.warn({ err: error, times }, 'cannot listen for new events; polling for them'),
      FAILURE_LOG_EVERY_MS,
    );
  }

  readonly announce = (): void => {
    const now_ms = performance.now();
    if (now_ms - this.#announcedAt_ms < ANNOUNCE_EVERY_MS) return;
    this.#announcedAt_ms = now_ms;
    this.#announcing = this.#db
      .query({ name: 'announce_events', text: `SELECT pg_notify('${CHANNEL}', '')` })
      .catch(() => {
        this.#announcedAt_ms = Number.NEGATIVE_INFINITY; // the next event tries again
      });
  };

  listen(heard: () => void): void {
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    const before = this.#running;
    this.#running = this.#run(heard, stopping.signal, before);
  }

  isListening(): boolean {
    return this.#isListening;
  }

  reconnect(): void {
    this.#endConnection?.();
  }

  stop(): void {
    this.#stopping?.abort();
    this.#stopping = undefined;
    this.#endConnection?.();
  }

  async close(): Promise<void> {
    await Promise.all([this.#running, this.#announcing]);
  }

  async #run(heard: () => void, signal: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    await before;
    let pause_ms = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#listenUntilLost(heard, signal);
        pause_ms = FIRST_PAUSE_MS;
      } catch (error) {
        if (!signal.aborted) this.#logFailure(error);
        pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
      }
      await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Settles when the connection has ended. @throws if there is none */
  async #listenUntilLost(heard: () => void, signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      ...this.#db.options,
      query_timeout: LISTEN_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    const lost = Promise.withResolvers<void>();
    client.on('error', () => lost.resolve());
    client.on('end', () => lost.resolve());
    client.on('notification', heard);
    this.#endConnection = () => lost.resolve();
    try {
      await Promise.race([beginListening(client), lost.promise.then(() => throwLost())]);
      this.#isListening = true;
      heard(); // events from before were not announced here
      await lost.promise;
      this.#isListening = false;
      if (!signal.aborted) heard(); // from now on polling alone finds events
    } finally {
      this.#isListening = false;
      this.#endConnection = undefined;
      client.off('notification', heard);
      await withTimeout(CLOSE_TIMEOUT_MS, client.end());
      cutConnection(client);
    }
  }
}

async function beginListening(client: pg.Client): Promise<void> {
  await client.connect();
  await client.query(`LISTEN ${CHANNEL}`);
}

function throwLost(): never {
  throw new Error('the connection was lost before it could listen');
}
