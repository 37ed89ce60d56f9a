import type { Socket } from 'node:net';

/** The connection whose bytes are parsed. */
export interface FeedOwner {
  /** Whether more may be parsed now. */
  mayParse(): boolean;
  /** Whether the next bytes are of a body: their slices are longer. */
  inBody(): boolean;
  /** Whether the next bytes continue a head: their slices are longer, up to the head's end. */
  inHead(): boolean;
  /** Called after each slice. */
  parsed(slice: Buffer): void;
  /** Called when parsing stops: at the end of the bytes, or because no more may be parsed. */
  stopped(): void;
}

const CR = 0x0d;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);
/** As long as about forty of the shortest requests. */
const HEAD_SLICE_BYTES = 1024;
/** The parser copies the header that it is in at each slice. */
const LONG_HEAD_SLICE_BYTES = 16 * 1024;
/** Halved after each slice that takes longer than `MAX_SLICE_MS`, as chunks of one byte do. */
const BODY_SLICE_BYTES = 8 * 1024;
const MAX_SLICE_MS = 0.5;
/** Maximum time for one connection before the bytes of others are parsed. */
const MAX_BUSY_MS = 1;

/**
 * Passes a connection's bytes to Node's HTTP parser in slices, and stops between slices when no more may be parsed. Node
 * would parse everything that one read returned, up to 64 KiB, at once: two thousand pipelined requests, or eleven
 * thousand chunks of a body. The feed replaces the listeners that Node's HTTP server has just added to the socket, and
 * calls them.
 */
export class RequestFeed {
  readonly #socket: Socket;
  readonly #owner: FeedOwner;
  readonly #parse: Listener;
  readonly #finish: Listener;
  readonly #onData = (chunk: Buffer): void => this.#take(chunk);
  readonly #onResume = (): void => this.#feed();
  readonly #onEnd = (): void => this.#end();
  #bodySliceBytes = BODY_SLICE_BYTES;
  /** Bytes that are not parsed yet. */
  #kept: Buffer | undefined;
  #isDiscarding = false;
  #isWaiting = false;
  #hasEnded = false;
  #isReleased = false;

  constructor(socket: Socket, owner: FeedOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.#parse = takeListener(socket, 'data');
    this.#finish = takeListener(socket, 'end');
    socket.on('data', this.#onData);
    socket.on('resume', this.#onResume);
    socket.on('end', this.#onEnd);
  }

  /** Continues after a stop, if more may be parsed now. */
  resume(): void {
    if (!this.#isReleased && !this.#isWaiting && this.#socket.isPaused() && this.#owner.mayParse())
      this.#socket.resume();
  }

  /** Drops all further bytes, unparsed. */
  discard(): void {
    this.#isDiscarding = true;
    this.#kept = undefined;
    this.#socket.resume();
  }

  /** Leaves the socket for good, and returns the bytes that are not parsed. */
  release(): Buffer {
    this.#isReleased = true;
    this.#socket.off('data', this.#onData).off('resume', this.#onResume).off('end', this.#onEnd);
    const rest = this.#kept ?? NOTHING;
    this.#kept = undefined;
    return rest;
  }

  /** Memory of the bytes that are not parsed: they are a view of the buffer that one read filled. */
  keptBytes(): number {
    return this.#kept?.buffer.byteLength ?? 0;
  }

  #take(chunk: Buffer): void {
    if (this.#isDiscarding) return;
    if (this.#kept === undefined && chunk.length <= HEAD_SLICE_BYTES && this.#owner.mayParse()) {
      this.#parse.call(this.#socket, chunk);
      this.#owner.parsed(chunk);
      this.#owner.stopped();
      return;
    }
    this.#kept = this.#kept === undefined ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#feed();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#finishIfDone();
  }

  #feed(): void {
    const startedAt_ms = performance.now();
    while (this.#kept !== undefined && (this.#isDiscarding || !this.#socket.isPaused())) {
      if (this.#socket.destroyed || this.#isDiscarding) this.#kept = undefined;
      else if (this.#owner.mayParse()) this.#parseSome(this.#kept);
      else this.#socket.pause();
      if (performance.now() - startedAt_ms > MAX_BUSY_MS) this.#waitForNextTurn();
    }
    this.#owner.stopped();
    this.#finishIfDone();
  }

  /** Continues in the next turn of the event loop, after other connections. */
  #waitForNextTurn(): void {
    if (this.#isReleased) return;
    this.#isWaiting = true;
    this.#socket.pause();
    setImmediate(() => {
      this.#isWaiting = false;
      this.resume();
    });
  }

  #parseSome(bytes: Buffer): void {
    const size = this.#owner.inBody() ? this.#bodySliceBytes : this.#headSliceBytes(bytes);
    const slice = bytes.length <= size ? bytes : bytes.subarray(0, size);
    this.#kept = bytes.length <= size ? undefined : bytes.subarray(size);
    const startedAt_ms = performance.now();
    this.#parse.call(this.#socket, slice);
    const isSlow = performance.now() - startedAt_ms > MAX_SLICE_MS;
    this.#bodySliceBytes = isSlow
      ? Math.max(this.#bodySliceBytes / 2, HEAD_SLICE_BYTES)
      : Math.min(this.#bodySliceBytes * 2, BODY_SLICE_BYTES);
    this.#owner.parsed(slice);
  }

  /** A longer slice for the rest of a long head, but no further: short requests may follow it. */
  #headSliceBytes(bytes: Buffer): number {
    if (!this.#owner.inHead() || bytes[0] === CR || bytes[0] === LF) return HEAD_SLICE_BYTES; // the head may end here
    const end = bytes.indexOf('\r\n\r\n');
    return Math.max(HEAD_SLICE_BYTES, Math.min(end < 0 ? bytes.length : end + 4, LONG_HEAD_SLICE_BYTES));
  }

  /** Passes on the end of the client's bytes once all of them are parsed. */
  #finishIfDone(): void {
    const isDone = this.#hasEnded && this.#kept === undefined;
    if (!isDone || this.#isDiscarding || this.#isReleased || this.#socket.destroyed) return;
    this.#hasEnded = false;
    this.#finish.call(this.#socket);
  }
}

type Listener = (this: Socket, ...values: unknown[]) => void;

/** Node's HTTP server has just added its listener, so it is the last one. */
function takeListener(socket: Socket, event: 'data' | 'end'): Listener {
  const listener = socket.listeners(event).at(-1) as Listener | undefined;
  if (listener === undefined)
    throw new Error(`Node's HTTP server does not listen to a socket's ${event} event`);
  socket.removeListener(event, listener);
  return listener;
}
