import type { Socket } from 'node:net';

/**
 * Passes a connection's bytes to Node's HTTP parser in slices, and stops between them when no more may be parsed.
 * Node by itself parses all that one read brought, up to 64 KiB, at once: two thousand pipelined requests, or eleven
 * thousand chunks of a body.
 */
export interface RequestFeed {
  /** Goes on after a stop, if more may be parsed now. */
  resume(): void;
  /** Drops all further bytes, unparsed. */
  discard(): void;
  /** Gives back the socket for good, and the bytes that are kept. */
  release(): Buffer;
  /** Bytes that are kept because they may not be parsed yet. */
  keptBytes(): number;
}

export interface FeedOptions {
  /** Whether more may be parsed now. */
  mayParse(): boolean;
  /** Whether the bytes are of a body: then the slices are longer. */
  inBody(): boolean;
  /** Whether the bytes go on with a head: then the slices are longer, up to its end. */
  inHead(): boolean;
  /** Called after each slice. */
  parsed(slice: Buffer): void;
  /** Called when it stops: all is parsed, or the rest is kept. */
  stopped(): void;
}

const CR = 0x0d;
const LF = 0x0a;
/** Holds about forty of the shortest requests. */
const HEAD_SLICE_BYTES = 1024;
/** The parser copies what it has of a header at each slice. */
const LONG_HEAD_SLICE_BYTES = 16 * 1024;
/** Shorter while a slice takes longer than `MAX_SLICE_MS`, as with chunks of a byte each. */
const BODY_SLICE_BYTES = 8 * 1024;
const MAX_SLICE_MS = 0.5;
/** After so long, the bytes of other connections are parsed first. */
const MAX_BUSY_MS = 1;

/** Takes the place of the listeners that Node's HTTP server has just added to a socket, and calls them itself. */
export function requestFeed(
  socket: Socket,
  { mayParse, inBody, inHead, parsed, stopped }: FeedOptions,
): RequestFeed {
  const parse = takeListener(socket, 'data');
  const finish = takeListener(socket, 'end');
  let bodySlice = BODY_SLICE_BYTES;
  let kept: Buffer | undefined;
  let discarding = false;
  let waiting = false;
  let ended = false;
  let released = false;

  socket.on('data', take);
  socket.on('resume', feed);
  socket.on('end', end);

  function take(chunk: Buffer): void {
    if (discarding) return;
    if (kept === undefined && chunk.length <= HEAD_SLICE_BYTES && mayParse()) {
      parse.call(socket, chunk);
      parsed(chunk);
      stopped();
      return;
    }
    kept = kept === undefined ? chunk : Buffer.concat([kept, chunk]);
    feed();
  }

  function end(): void {
    ended = true;
    finishIfDone();
  }

  function feed(): void {
    const startedAt_ms = performance.now();
    while (kept !== undefined && (discarding || !socket.isPaused())) {
      if (socket.destroyed || discarding) kept = undefined;
      else if (mayParse()) parseSome(kept);
      else socket.pause();
      if (performance.now() - startedAt_ms > MAX_BUSY_MS) waitForNextTurn();
    }
    stopped();
    finishIfDone();
  }

  /** Goes on in the next turn of the event loop, after other connections. */
  function waitForNextTurn(): void {
    if (released) return;
    waiting = true;
    socket.pause();
    setImmediate(() => {
      waiting = false;
      resume();
    });
  }

  function resume(): void {
    if (!released && !waiting && socket.isPaused() && mayParse()) socket.resume();
  }

  function parseSome(bytes: Buffer): void {
    const size = inBody() ? bodySlice : headSlice(bytes);
    const slice = bytes.length <= size ? bytes : bytes.subarray(0, size);
    kept = bytes.length <= size ? undefined : bytes.subarray(size);
    const startedAt_ms = performance.now();
    parse.call(socket, slice);
    const isSlow = performance.now() - startedAt_ms > MAX_SLICE_MS;
    bodySlice = isSlow
      ? Math.max(bodySlice / 2, HEAD_SLICE_BYTES)
      : Math.min(bodySlice * 2, BODY_SLICE_BYTES);
    parsed(slice);
  }

  /** A head that is known to be long is parsed to its end, and no further: short requests may be behind it. */
  function headSlice(bytes: Buffer): number {
    if (!inHead() || bytes[0] === CR || bytes[0] === LF) return HEAD_SLICE_BYTES; // it may have ended
    const end = bytes.indexOf('\r\n\r\n');
    return Math.max(HEAD_SLICE_BYTES, Math.min(end < 0 ? bytes.length : end + 4, LONG_HEAD_SLICE_BYTES));
  }

  /** Passes on the end of the client's bytes, once all of them are parsed. */
  function finishIfDone(): void {
    if (!ended || kept !== undefined || discarding || released || socket.destroyed) return;
    ended = false;
    finish.call(socket);
  }

  return {
    resume,
    discard: () => {
      discarding = true;
      kept = undefined;
      socket.resume();
    },
    release: () => {
      released = true;
      socket.off('data', take).off('resume', feed).off('end', end);
      const rest = kept ?? Buffer.alloc(0);
      kept = undefined;
      return rest;
    },
    // The kept bytes are a view of the buffer that one read filled, which stays in memory as a whole.
    keptBytes: () => kept?.buffer.byteLength ?? 0,
  };
}

type Listener = (this: Socket, ...values: unknown[]) => void;

/** Node's HTTP server has added its listener right before, so it is the last one. */
function takeListener(socket: Socket, event: 'data' | 'end'): Listener {
  const listener = socket.listeners(event).at(-1) as Listener | undefined;
  if (listener === undefined)
    throw new Error(`Node's HTTP server does not listen to a socket's ${event} event`);
  socket.removeListener(event, listener);
  return listener;
}
