import { CLOSE_CODES, type GatewayEvents, OP } from '../generated/gateway.ts';
import { type ConnectionEnd, GatewayConnection } from './connection.ts';
import type { EventQueue } from './event-queue.ts';
import { type Frame, memberOf } from './frame.ts';
import { GatewayClosedError, GatewayError, GatewayUnreachableError } from './gateway-error.ts';
import { findGateway, type GatewayAddress, withProtocol } from './gateway-url.ts';
import type { GatewaySocketClass } from './socket.ts';
import { delayBefore, type GatewayTiming, sleep } from './timing.ts';

/** An event: its name, its number in the session, and its payload. */
export type GatewayEvent<T extends keyof GatewayEvents = keyof GatewayEvents> = {
  [Name in T]: { readonly t: Name; readonly s: number; readonly d: GatewayEvents[Name] };
}[T];

export interface SessionOptions extends GatewayAddress {
  readonly token: string;
  readonly shard: readonly [id: number, count: number] | undefined;
  readonly WebSocket: GatewaySocketClass;
  readonly maxAttempts: number;
  readonly timing: GatewayTiming;
  readonly onDisconnect: ((disconnect: GatewayDisconnect) => void) | undefined;
}

/** A connection ended, and the client makes another one. */
export interface GatewayDisconnect {
  readonly why: string;
  /** Connections in succession that did not last. */
  readonly attempt: number;
  /** The delay before the next connection, unless it waits for a slow consumer. */
  readonly delayMs: number;
}

/** What a Resume needs. */
interface Resumable {
  readonly id: string;
  readonly url: string;
}

/** A session of the Gateway, which outlives its connections. Its events go into the queue, each once. */
export class GatewaySession {
  readonly #options: SessionOptions;
  readonly #queue: EventQueue<GatewayEvent>;
  #connection: GatewayConnection | undefined;
  /** Undefined before READY. */
  #resumable: Resumable | undefined;
  #seq = 0;
  #attempt = 0;
  #establishedAtMs: number | undefined;
  #isRefused = false;
  #wasReady = false;

  constructor(options: SessionOptions, queue: EventQueue<GatewayEvent>) {
    this.#options = options;
    this.#queue = queue;
  }

  /**
   * Stays connected until the signal aborts.
   *
   * @throws GatewayError if a further connection would not help
   */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#connection?.endSession());
    while (!signal.aborted) {
      const end = await this.#connect(signal);
      if (signal.aborted) return;
      const delayMs = this.#delayAfter(end);
      this.#options.onDisconnect?.({ why: end.why, attempt: this.#attempt, delayMs });
      await sleep(delayMs, signal);
      if (this.#queue.isFull()) await this.#queue.untilDrained();
    }
  }

  /** Resolves when the connection has ended. */
  async #connect(signal: AbortSignal): Promise<ConnectionEnd> {
    const { WebSocket, timing } = this.#options;
    const url = await this.#url(signal).catch((error: unknown) => {
      // A proxy answers 404 too while the API restarts.
      if (error instanceof GatewayError && !this.#wasReady) throw error;
      return { why: error instanceof Error ? error.message : String(error) };
    });
    if (typeof url !== 'string') return url;
    if (signal.aborted) return { why: 'stopped' };
    this.#establishedAtMs = undefined;
    this.#isRefused = false;
    return new Promise((resolve) => {
      const connection = new GatewayConnection(new WebSocket(url), {
        timing,
        lastSeq: () => (this.#seq === 0 ? null : this.#seq),
        onHello: () => this.#onHello(connection),
        onFrame: (frame, characters) => this.#onFrame(connection, frame, characters),
        onEnd: resolve,
      });
      this.#connection = connection;
    });
  }

  /** READY names where to resume. If nobody answers there, the Gateway's own URL serves too. */
  async #url(signal: AbortSignal): Promise<string> {
    if (this.#resumable !== undefined && this.#attempt <= 1)
      return withProtocol(this.#resumable.url, this.#options);
    const timeout = AbortSignal.timeout(this.#options.timing.connectWithinMs);
    const found = await findGateway(this.#options, AbortSignal.any([signal, timeout]));
    return withProtocol(found, this.#options);
  }

  /** @throws GatewayError */
  #delayAfter({ code, why, isSlowConsumer = false }: ConnectionEnd): number {
    const { timing, maxAttempts } = this.#options;
    const known = code === undefined ? undefined : CLOSE_CODES.get(code);
    if (code !== undefined && known?.action === 'stop') throw new GatewayClosedError(code, known.meaning);
    if (known?.action === 'identify') this.#resumable = undefined;
    if (isSlowConsumer) return 0;
    if (this.#lastedMs() >= timing.steadyAfterMs) this.#attempt = 0;
    this.#attempt++;
    if (this.#attempt >= maxAttempts) throw new GatewayUnreachableError(this.#attempt, why);
    return delayBefore(this.#attempt, timing);
  }

  #lastedMs(): number {
    return this.#establishedAtMs === undefined ? 0 : performance.now() - this.#establishedAtMs;
  }

  #onHello(connection: GatewayConnection): void {
    const { token } = this.#options;
    if (this.#resumable === undefined) this.#identify(connection);
    else connection.send(OP.RESUME, { token, session_id: this.#resumable.id, seq: this.#seq });
  }

  #identify(connection: GatewayConnection): void {
    const { token, shard } = this.#options;
    this.#resumable = undefined;
    this.#seq = 0;
    connection.send(OP.IDENTIFY, { token, properties: {}, ...(shard !== undefined && { shard }) });
  }

  #onFrame(connection: GatewayConnection, frame: Frame, characters: number): void {
    switch (frame.op) {
      case OP.DISPATCH:
        this.#onEvent(connection, frame, characters);
        break;
      case OP.RECONNECT:
        connection.end({ why: 'the server asked to reconnect' });
        break;
      case OP.INVALID_SESSION:
        this.#onInvalidSession(connection, frame.d === true);
    }
  }

  /** The client identifies again on the same connection, but only once. */
  #onInvalidSession(connection: GatewayConnection, isResumable: boolean): void {
    if (!isResumable) this.#resumable = undefined;
    if (isResumable || this.#isRefused) connection.end({ why: 'the session was refused' });
    else {
      this.#isRefused = true;
      connection.expectAnswer();
      this.#identify(connection);
    }
  }

  #onEvent(connection: GatewayConnection, { t, s, d }: Frame, characters: number): void {
    connection.gotAnswer();
    if (s !== null && s <= this.#seq) return;
    if (t === 'READY') this.#resumable = resumableOf(d);
    this.#wasReady ||= this.#resumable !== undefined;
    if (t === null || s !== this.#seq + 1 || this.#resumable === undefined) {
      connection.end({ why: `the event ${t} ${s} after ${this.#seq} is malformed` });
      return;
    }
    if (t === 'READY' || t === 'RESUMED') this.#establishedAtMs = performance.now();
    this.#seq = s;
    this.#queue.push({ t, s, d } as GatewayEvent, characters); // by the contract
    if (this.#queue.isFull()) this.#stopReading(connection);
  }

  /** Where the WebSocket cannot pause, the session resumes once the consumer has caught up. */
  #stopReading(connection: GatewayConnection): void {
    if (connection.pause()) void this.#queue.untilDrained().then(() => connection.resumeReading());
    else connection.end({ why: 'the events wait for their consumer', isSlowConsumer: true });
  }
}

/** Of READY; undefined if it is malformed. */
function resumableOf(d: unknown): Resumable | undefined {
  const [id, url] = [memberOf(d, 'session_id'), memberOf(d, 'resume_gateway_url')];
  return typeof id === 'string' && typeof url === 'string' ? { id, url } : undefined;
}
