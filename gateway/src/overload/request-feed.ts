import type { Socket } from 'node:net';

/**
 * What a connection's bytes go through on their way to Node's HTTP parser. Node itself hands all that one read
 * brought, up to 64 KiB, to the parser at once: two thousand pipelined requests, or eleven thousand chunks
 * of a body. Here they come in slices, with a look between them whether more may come.
 */
export interface RequestFeed {
  /** Goes on if it may, after it was held back. */
  resume(): void;
  /** What still comes is thrown away without being parsed. */
  discard(): void;
  /** Bytes that are kept because they may not be parsed yet. */
  keptBytes(): number;
}

export interface FeedOptions {
  /** Whether more may be parsed now. */
  mayParse(): boolean;
  /** Whether a body is under way: its bytes come in longer slices. */
  inBody(): boolean;
  /** Called after each slice. */
  parsed(slice: Buffer): void;
  /** Called when it stops, whether anything is kept or not. */
  stopped(): void;
}

/** About forty of the shortest requests. */
const HEAD_SLICE_BYTES = 1024;
const BODY_SLICE_BYTES = 8 * 1024;
/** Parsing what one connection sends, before others have their turn. */
const MAX_BUSY_MS = 1;

/** Puts itself between a socket and the listeners that Node's HTTP server has just added to it. */
export function requestFeed(socket: Socket, { mayParse, inBody, parsed, stopped }: FeedOptions): RequestFeed {
  const parse = takeListener(socket, 'data');
  const finish = takeListener(socket, 'end');
  let kept: Buffer | undefined;
  let discarding = false;
  let waiting = false;
  let ended = false;

  socket.on('data', (chunk: Buffer) => {
    if (discarding) return;
    if (kept === undefined && chunk.length <= HEAD_SLICE_BYTES && mayParse()) {
      parse.call(socket, chunk);
      parsed(chunk);
      stopped();
      return;
    }
    kept = kept === undefined ? chunk : Buffer.concat([kept, chunk]);
    feed();
  });
  socket.on('resume', feed);
  socket.on('end', () => {
    ended = true;
    finishIfDone();
  });

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

  /** Other connections come first. */
  function waitForNextTurn(): void {
    waiting = true;
    socket.pause();
    setImmediate(() => {
      waiting = false;
      resume();
    });
  }

  function resume(): void {
    if (!waiting && socket.isPaused() && mayParse()) socket.resume();
  }

  function parseSome(bytes: Buffer): void {
    const size = inBody() ? BODY_SLICE_BYTES : HEAD_SLICE_BYTES;
    const slice = bytes.length <= size ? bytes : bytes.subarray(0, size);
    kept = bytes.length <= size ? undefined : bytes.subarray(size);
    parse.call(socket, slice);
    parsed(slice);
  }

  /** The end of what the client sends comes after all of it. */
  function finishIfDone(): void {
    if (!ended || kept !== undefined || discarding || socket.destroyed) return;
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
    // What is kept is a part of the buffer that the system's read filled.
    keptBytes: () => kept?.buffer.byteLength ?? 0,
  };
}

type Listener = (this: Socket, ...values: unknown[]) => void;

/** The HTTP server's listener is the last one: the event of a new connection reaches it first. */
function takeListener(socket: Socket, event: 'data' | 'end'): Listener {
  const listener = socket.listeners(event).at(-1) as Listener | undefined;
  if (listener === undefined)
    throw new Error(`Node's HTTP server does not listen to a socket's ${event} event`);
  socket.removeListener(event, listener);
  return listener;
}
