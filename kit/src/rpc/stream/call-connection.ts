import type { ConnectionState } from '../link.ts';
import type { ClientTls } from '../tls/client-tls.ts';
import { Unreachable } from '../unreachable.ts';
import { ClientSession } from './client-session.ts';
import { type MessageStream, openMessages, type StreamEvents } from './message-stream.ts';

/** For this long after a failure, a call makes no new attempt. */
const FAILURE_PAUSE_MS = 50;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 500;

/** The HTTP/2 connection that carries the call streams to one replica. A lost connection is opened again. */
export class CallConnection {
  readonly #address: string;
  readonly #tls: ClientTls | undefined;
  #current: ClientSession | undefined;
  #generation = 0;
  #failure: unknown;
  #failedAt_ms = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #retryDelay_ms = FIRST_RETRY_MS;
  #closed = false;

  constructor(address: string, tls?: ClientTls) {
    this.#address = address;
    this.#tls = tls;
    this.#connect();
  }

  /** Counts the connection attempts. */
  get generation(): number {
    return this.#generation;
  }

  state(): ConnectionState {
    if (this.#current === undefined) return 'failed';
    if (this.#current.establishedAt_ms !== undefined) return 'connected';
    return this.#failure === undefined ? 'connecting' : 'failed';
  }

  /** Opens a stream, and a connection if there is none. @throws Unreachable if an attempt has just failed */
  open(path: string, events: StreamEvents): MessageStream {
    if (this.#current === undefined && performance.now() - this.#failedAt_ms > FAILURE_PAUSE_MS)
      this.#connect();
    const session = this.#current;
    if (session === undefined || !session.isOpen())
      throw new Unreachable(session?.silence ?? this.#failure, false);
    session.addStream();
    const lost = (cause: unknown): void => {
      session.removeStream();
      const reason = session.silence ?? cause;
      events.lost(session.establishedAt_ms === undefined ? new Unreachable(reason, false) : reason);
    };
    return openMessages(session.http2, path, { ...events, lost }, session.establishedAt_ms === undefined);
  }

  /** Closes the connection when its streams have ended. */
  close(): void {
    this.#closed = true;
    this.#current?.close();
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    if (this.#closed) return;
    this.#generation++;
    const session = new ClientSession(this.#address, this.#tls, {
      established: () => {
        if (session !== this.#current) return;
        this.#failure = undefined;
        this.#retryDelay_ms = FIRST_RETRY_MS;
      },
      failed: (error) => {
        if (session === this.#current) this.#failure = error;
      },
      unusable: () => this.#replace(session),
    });
    this.#current = session;
  }

  /** Replaces a session that takes no further streams: at once if it was established for a while, else with backoff. */
  #replace(session: ClientSession): void {
    if (session !== this.#current) return;
    this.#current = undefined;
    const now_ms = performance.now();
    if (now_ms - (session.establishedAt_ms ?? Number.POSITIVE_INFINITY) > MAX_RETRY_MS) {
      this.#connect();
      return;
    }
    this.#failure = session.silence ?? this.#failure ?? new Error('the peer closed the connection');
    this.#failedAt_ms = now_ms;
    const jitter = 0.8 + Math.random() * 0.4;
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryDelay_ms * jitter).unref();
    this.#retryDelay_ms = Math.min(this.#retryDelay_ms * 2, MAX_RETRY_MS);
  }
}
