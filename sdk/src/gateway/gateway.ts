import type { GatewayEvents } from '../generated/gateway.ts';
import { EventQueue } from './event-queue.ts';
import type { GatewayAddress } from './gateway-url.ts';
import { type GatewayDisconnect, type GatewayEvent, GatewaySession } from './session.ts';
import { type GatewaySocketClass, platformSocket } from './socket.ts';
import { type GatewayTiming, TIMING } from './timing.ts';

export type { GatewayEvents } from '../generated/gateway.ts';
export { GatewayClosedError, GatewayError, GatewayUnreachableError } from './gateway-error.ts';
export type { GatewayDisconnect, GatewayEvent } from './session.ts';
export type { GatewaySocket, GatewaySocketClass } from './socket.ts';
export type { GatewayTiming } from './timing.ts';

export interface GatewayOptions extends GatewayAddress {
  /** The token of a user's session. Either this or `bot`. */
  readonly session?: string | undefined;
  /** A bot's token. */
  readonly bot?: string | undefined;
  /** The shard's number and the number of shards, which READY repeats. */
  readonly shard?: readonly [id: number, count: number] | undefined;
  /** The class of the package ws, which can pause; by default the platform's WebSocket. */
  readonly WebSocket?: GatewaySocketClass | undefined;
  /** Events that may wait for their consumer before the client stops reading; 1,000 by default. */
  readonly maxQueuedEvents?: number | undefined;
  /** Characters of these events' frames; 8,388,608 by default. */
  readonly maxQueuedCharacters?: number | undefined;
  /** Connections in succession that may fail before the client stops; without a limit by default. */
  readonly maxAttempts?: number | undefined;
  /** Called when a connection ends and another one follows, for logs. */
  readonly onDisconnect?: ((disconnect: GatewayDisconnect) => void) | undefined;
  /** Ends the session, with the signal's reason as the error. */
  readonly signal?: AbortSignal | undefined;
  /** For tests of the client. */
  readonly timing?: Partial<GatewayTiming> | undefined;
}

type Name = keyof GatewayEvents;
export type GatewayListener<T extends Name> = (d: GatewayEvents[T], event: GatewayEvent<T>) => unknown;

/**
 * A session of the Gateway. The iterator has its events in order, each once; breaking out of its loop ends the session.
 * It connects when the iterator or the first listener asks for events. Use one iterator, or listeners.
 */
export class Gateway implements AsyncIterable<GatewayEvent, undefined> {
  /**
   * Resolves when the session has ended by `close` or by the end of the iterator's loop. Rejects if it failed, if the
   * signal aborted or if a listener threw.
   */
  readonly closed: Promise<void>;
  readonly #closed = Promise.withResolvers<void>();
  readonly #queue: EventQueue<GatewayEvent>;
  readonly #session: GatewaySession;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #listeners = new Map<string, Set<(d: unknown, event: unknown) => unknown>>();
  #consumer: 'iterator' | 'listeners' | undefined;

  /** @throws TypeError, RangeError */
  constructor(options: GatewayOptions) {
    const {
      maxQueuedEvents = 1_000,
      maxQueuedCharacters = 8 * 1024 * 1024,
      maxAttempts = Infinity,
    } = options;
    this.closed = this.#closed.promise;
    this.#signal = options.signal;
    this.#queue = new EventQueue({
      events: atLeastOne('maxQueuedEvents', maxQueuedEvents),
      characters: atLeastOne('maxQueuedCharacters', maxQueuedCharacters),
    });
    this.#session = new GatewaySession(
      {
        ...options,
        token: tokenOf(options),
        shard: options.shard,
        WebSocket: options.WebSocket ?? platformSocket(),
        maxAttempts: atLeastOne('maxAttempts', maxAttempts),
        timing: { ...TIMING, ...options.timing },
        onDisconnect: options.onDisconnect,
      },
      this.#queue,
    );
  }

  /** @throws Error at a second iterator, or beside listeners */
  [Symbol.asyncIterator](): AsyncIterator<GatewayEvent, undefined> {
    if (this.#consumer !== undefined) throw new Error('use one iterator, or listeners');
    this.#consumer = 'iterator';
    this.closed.catch(() => undefined); // the iterator throws the error
    this.#start();
    return {
      next: () => this.#queue.take(),
      return: async () => {
        await this.close().catch(() => undefined); // an error that the loop did not ask for
        return { done: true, value: undefined };
      },
    };
  }

  /**
   * Calls the listener for each event of this name. Events come one after the other: the next one waits for the promises
   * that listeners return. A listener that throws ends the session: `closed` rejects.
   *
   * @returns removes the listener
   * @throws Error beside an iterator
   */
  on<T extends Name>(name: T, listener: GatewayListener<T>): () => void {
    if (this.#consumer === 'iterator') throw new Error('use one iterator, or listeners');
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    const added = (d: unknown, event: unknown) => listener(d as GatewayEvents[T], event as GatewayEvent<T>); // by its name
    listeners.add(added);
    if (this.#consumer === undefined) {
      this.#consumer = 'listeners';
      void this.#callListeners();
      this.#start();
    }
    return () => listeners.delete(added);
  }

  /** Ends the session. Events that wait are dropped. A listener may wait for it. */
  async close(): Promise<void> {
    this.#queue.clear();
    this.#end({});
    this.#settle({});
    await this.closed;
  }

  #start(): void {
    const { signal } = this.#stop;
    const onAbort = () => {
      this.#queue.clear();
      this.#end({ error: this.#signal?.reason });
    };
    this.#signal?.addEventListener('abort', onAbort);
    signal.addEventListener('abort', () => this.#signal?.removeEventListener('abort', onAbort));
    if (this.#signal?.aborted) onAbort();
    else void this.#session.run(signal).catch((error: unknown) => this.#end({ error }));
  }

  /** The first end counts. */
  #end(end: { readonly error?: unknown }): void {
    this.#queue.end(end);
    this.#stop.abort();
    if (this.#consumer !== 'listeners') this.#settle(end);
  }

  #settle({ error }: { readonly error?: unknown }): void {
    if (error === undefined) this.#closed.resolve();
    else this.#closed.reject(error);
  }

  async #callListeners(): Promise<void> {
    try {
      for (let next = await this.#queue.take(); !next.done; next = await this.#queue.take()) {
        const { value } = next;
        for (const listener of this.#listeners.get(value.t) ?? []) await listener(value.d, value);
      }
      this.#settle({});
    } catch (error) {
      this.#settle({ error });
      this.#queue.clear();
      this.#end({});
    }
  }
}

function tokenOf({ session, bot }: GatewayOptions): string {
  const token = session ?? bot;
  if (token === undefined || (session !== undefined && bot !== undefined))
    throw new TypeError('one credential: the token of a session, or that of a bot');
  return token;
}

function atLeastOne(name: string, value: number): number {
  if (value >= 1) return value;
  throw new RangeError(`${name} is ${value}: it must be at least 1`);
}
