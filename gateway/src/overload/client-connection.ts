import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../http/request-headers.ts';
import { BytesAfterHttp } from './bytes-after-http.ts';
import { LONG_HEAD_BYTES } from './head-turns.ts';
import { headOf } from './heads.ts';
import type { BytesHolder, OnHeld } from './held-bytes.ts';
import { ParserPosition } from './parser-position.ts';
import { RequestFeed } from './request-feed.ts';
import { UnansweredRequests } from './unanswered-requests.ts';

/** A request whose head is complete, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ClientConnectionOptions {
  readonly ipGroup: string | undefined;
  readonly max_pipelined_requests: number;
  /** The client's IP group. */
  groupOfClient(request: IncomingMessage): string;
  /** Whether more of a long head may be parsed now. If not, the connection is resumed later. */
  hasHeadTurn(connection: ClientConnection): boolean;
  /** Whether the next request may be parsed now. If not, the connection is resumed later. */
  hasQueueRoom(connection: ClientConnection): boolean;
  /** Called after each request that is answered, or whose connection is lost. */
  onAnswered(connection: ClientConnection): void;
  /** Called with each change of the held bytes. */
  onHeld: OnHeld;
}

const LINGER_MS = 2_000;

let arrivals = 0;

/**
 * A client's connection with its requests and unsent answers. It holds bytes that are not parsed yet, and the heads of
 * requests until they are answered.
 */
export class ClientConnection implements BytesHolder {
  readonly socket: Socket;
  /** The peer's; undefined for a trusted proxy. */
  readonly ipGroup: string | undefined;
  /** The sequence number of its last request in this process: the connection with the lowest has been idle for longest. */
  lastArrival = arrivals;
  /** Whether any request has arrived. */
  isUsed = false;
  /** Monotonic time in milliseconds. */
  readonly openedAt_ms = performance.now();
  readonly afterHttp: BytesAfterHttp;
  readonly #options: ClientConnectionOptions;
  readonly #feed: RequestFeed;
  readonly #position = new ParserPosition();
  readonly #unanswered: UnansweredRequests;
  readonly #resume = (): void => this.resume();
  /** One listener for all responses; `this` is the response that has closed. */
  readonly #onClosed: (this: ServerResponse) => void;
  /** Memory of bytes that are not parsed, or belong to an incomplete head. */
  #unparsedBytes = 0;
  /** Requests that have arrived and have not started. */
  readonly #waiting: Exchange[] = [];
  /** Requests that have started and are not answered. */
  #started = 0;
  #hasLeftHttp = false;

  constructor(socket: Socket, options: ClientConnectionOptions) {
    this.socket = socket;
    this.ipGroup = options.ipGroup;
    this.#options = options;
    this.afterHttp = new BytesAfterHttp(options.onHeld);
    this.#unanswered = new UnansweredRequests(options.max_pipelined_requests, options.onHeld);
    this.#feed = new RequestFeed(socket, {
      mayParse: () => this.#mayParse(),
      inBody: () => this.#position.inBody(),
      inHead: () => this.#position.headBytes > 0,
      parsed: (slice) => this.#position.parsed(slice),
      stopped: () => this.#countUnparsed(socket.destroyed || this.#hasLeftHttp ? 0 : this.#unparsed()),
    });
    const answered = (response: ServerResponse): void => this.#answered(response);
    this.#onClosed = function onClosed() {
      answered(this);
    };
    socket.once('close', () => this.#closed());
  }

  /** Adds a request that waits until `startNext` returns it. */
  addWaiting(exchange: Exchange): void {
    this.#add(exchange);
    this.#waiting.push(exchange);
  }

  /** Adds a request that starts at once. */
  addStarted(exchange: Exchange): void {
    this.#add(exchange);
    this.#started++;
  }

  hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether a request waits, and may start now. */
  mayStart(): boolean {
    return this.#waiting.length > 0 && this.#started < this.#options.max_pipelined_requests;
  }

  /** The first waiting request, which counts as started from now on; undefined without one, and after a disconnection. */
  startNext(): Exchange | undefined {
    const exchange = this.#waiting.shift();
    if (exchange === undefined || this.socket.destroyed) return undefined;
    this.#started++;
    return exchange;
  }

  /** Parses more, if that is allowed. */
  resume(): void {
    this.#feed.resume();
  }

  /** Drops everything that the client still sends, unparsed. */
  ignoreRest(): void {
    this.#feed.discard();
  }

  /**
   * Ends HTTP on the connection. It still counts as a connection, and is never idle.
   *
   * @returns the bytes that are not parsed
   */
  leaveHttp(): Buffer {
    this.#hasLeftHttp = true;
    this.#countUnparsed(0);
    return this.#feed.release();
  }

  /**
   * Ends the connection after the current answer. For two seconds the client's further bytes are read and dropped:
   * closing at once would reset the connection, and the client could lose the answer.
   */
  endAfterAnswer(): void {
    const { socket } = this;
    socket.destroySoon = () => {
      this.ignoreRest();
      socket.end();
      const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => clearTimeout(linger));
    };
  }

  /** Whether it has no unanswered request and no part of one. */
  isIdle(): boolean {
    return !this.#hasLeftHttp && this.#unanswered.size === 0 && this.#unparsed() === 0;
  }

  /** Whether no other request has arrived since the one that is being answered. */
  isLastRequest(): boolean {
    return this.#unanswered.size === 1 && this.#unparsed() === 0;
  }

  hasUnanswered(): boolean {
    return this.#unanswered.size > 0;
  }

  /**
   * Bytes of answers that the client has not read, including answers that wait for an earlier one; in a tunnel, bytes
   * that either side has not read.
   */
  unsentBytes(): number {
    let bytes = this.socket.writableLength + this.afterHttp.unsentBytes();
    // writableLength of the response that has the socket includes the socket's own.
    for (const response of this.#unanswered.responses())
      if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  heldBytes(): ReadonlyMap<string | undefined, number> {
    const held = new Map<string | undefined, number>();
    const add = (ipGroup: string | undefined, bytes: number): void => {
      if (bytes > 0) held.set(ipGroup, (held.get(ipGroup) ?? 0) + bytes);
    };
    add(this.ipGroup, this.#unparsedBytes);
    add(this.afterHttp.ipGroup, this.afterHttp.heldBytes);
    for (const head of this.#unanswered.heads()) add(head.ipGroup, head.heldBytes);
    return held;
  }

  close(): void {
    this.socket.destroy();
    this.#countUnparsed(0);
    this.afterHttp.hold(0, this.ipGroup);
    for (const response of this.#unanswered.responses()) {
      this.#unanswered.remove(response);
      response.destroy();
    }
  }

  /** Counts a request as unanswered until its response has closed. */
  #add({ request, response }: Exchange): void {
    this.#position.arrived(request);
    this.lastArrival = ++arrivals;
    this.isUsed = true;
    response.on('close', this.#onClosed);
    if (hasBody(request)) request.on('resume', this.#resume);
    this.#unanswered.add(response, headOf(request, this.ipGroup ?? this.#options.groupOfClient(request)));
  }

  #mayParse(): boolean {
    if (this.#position.inBody()) return !this.#position.isBodyUnread();
    if (this.#unanswered.isFull) return false;
    const isLongHead = this.#position.headBytes >= LONG_HEAD_BYTES;
    return (!isLongHead || this.#options.hasHeadTurn(this)) && this.#options.hasQueueRoom(this);
  }

  #answered(response: ServerResponse): void {
    this.#unanswered.remove(response);
    this.#started--;
    if (this.#unanswered.size === 0) this.#position.forgetAnswered();
    this.resume();
    this.#options.onAnswered(this);
  }

  #closed(): void {
    this.#countUnparsed(0);
    this.afterHttp.hold(0, this.ipGroup);
    // Node does this too, but not after a CONNECT.
    for (const response of this.#unanswered.responses()) response.destroy();
  }

  #unparsed(): number {
    return this.#position.headBytes + this.#feed.keptBytes();
  }

  #countUnparsed(bytes: number): void {
    if (bytes === this.#unparsedBytes) return;
    const change = bytes - this.#unparsedBytes;
    this.#unparsedBytes = bytes;
    this.#options.onHeld(change, this.ipGroup);
  }
}
