import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RequestFeed, requestFeed } from './request-feed.ts';

/** A request as Node's HTTP server hands it over. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A client's connection, and what it keeps this process busy with. */
export interface ClientConnection {
  readonly socket: Socket;
  /** Its peer's, IPv6 by /64; undefined for a trusted proxy. */
  readonly address: string | undefined;
  /** Requests that have arrived and have not begun. */
  readonly waiting: Arrived[];
  /** Requests that have begun and are not answered. */
  begun: number;
  /** Whether it is among those that begin with a request next. */
  hasTurn: boolean;
  /** How many requests had arrived at the process when its last one did. */
  lastArrival: number;
  /** Of answers that the client has not taken, those included that wait behind another. */
  unsentBytes(): number;
  /** Counts a request that has arrived until it is answered. */
  arrive(arrived: Arrived): void;
  /** Neither asks nor is being answered. */
  isIdle(): boolean;
  /**
   * Sees to it that the connection ends with the answer that is under way, and that the client can read it:
   * what the client still sends is thrown away unparsed for a moment.
   */
  endAfterAnswer(): void;
  /** What still comes is thrown away unparsed. */
  ignoreRest(): void;
  /** Goes on parsing, if it may bring more requests. */
  resume(): void;
}

export interface ClientConnectionOptions {
  readonly address: string | undefined;
  readonly max_pipelined_requests: number;
  /** Whether it may bring more requests now; it is resumed when it may. */
  mayBring(): boolean;
  /** A request was answered, or its connection lost. */
  onAnswered(): void;
  /** So many bytes more, or fewer, are kept that are no request yet. */
  onUnparsed(bytes: number): void;
}

const LINGER_MS = 2_000;
const CR = 0x0d;
const LF = 0x0a;

let arrivals = 0;

export function clientConnection(socket: Socket, options: ClientConnectionOptions): ClientConnection {
  const { address, max_pipelined_requests, mayBring, onAnswered, onUnparsed } = options;
  const resumeAt = Math.floor(max_pipelined_requests / 2);
  const waiting: Arrived[] = [];
  const unanswered = new Set<ServerResponse>();
  let held = false;
  /** Of a request whose head is not complete. */
  let headBytes = 0;
  let arrivedInSlice = false;
  let wasInBody = false;
  let unparsedBytes = 0;
  /** The last one, whose body may still be under way. */
  let last: IncomingMessage | undefined;

  const feed: RequestFeed = requestFeed(socket, {
    mayParse: () => !held && (inBody() ? !waitsForItsReader() : mayBring()),
    inBody,
    parsed: (slice) => {
      headBytes = isOfHead(slice) ? headBytes + slice.length : 0;
      arrivedInSlice = false;
      wasInBody = inBody();
    },
    stopped: () => countUnparsed(socket.destroyed ? 0 : headBytes + feed.keptBytes()),
  });
  socket.once('close', () => {
    countUnparsed(0);
    // Node does the same, but no more once it has met a CONNECT.
    for (const response of unanswered) response.destroy();
  });

  /** Whether nothing but a part of a head was in it; blank lines before one are nothing (RFC 9112 §2.2). */
  function isOfHead(slice: Buffer): boolean {
    if (arrivedInSlice || wasInBody || inBody()) return false;
    return headBytes > 0 || !slice.every((byte) => byte === CR || byte === LF);
  }

  function countUnparsed(bytes: number): void {
    if (bytes === unparsedBytes) return;
    const before = unparsedBytes;
    unparsedBytes = bytes;
    onUnparsed(bytes - before);
  }

  function inBody(): boolean {
    return last !== undefined && !last.complete;
  }

  /** A body that nobody reads yet stays with the client, but for what has been parsed of it. */
  function waitsForItsReader(): boolean {
    return last?.readableFlowing !== true && (last?.readableLength ?? 0) > 0;
  }

  /** The response has closed. */
  function answered(this: ServerResponse): void {
    unanswered.delete(this);
    connection.begun--;
    if (held && unanswered.size <= resumeAt) held = false;
    if (unanswered.size === 0 && !inBody()) last = undefined;
    feed.resume();
    onAnswered();
  }

  const connection: ClientConnection = {
    socket,
    address,
    waiting,
    begun: 0,
    hasTurn: false,
    lastArrival: arrivals,
    unsentBytes: () => {
      let bytes = socket.writableLength;
      // A response that has the socket counts what is in the socket as well.
      for (const response of unanswered) if (response.socket === null) bytes += response.writableLength;
      return bytes;
    },
    arrive: ({ request, response }) => {
      last = request;
      arrivedInSlice = true;
      unanswered.add(response);
      if (unanswered.size >= max_pipelined_requests) held = true;
      connection.lastArrival = ++arrivals;
      response.on('close', answered);
      if (hasBody(request)) request.on('resume', feed.resume);
    },
    isIdle: () => unanswered.size === 0 && headBytes + feed.keptBytes() === 0,
    ignoreRest: () => feed.discard(),
    resume: () => feed.resume(),
    endAfterAnswer: () => {
      socket.destroySoon = () => {
        feed.discard();
        socket.end();
        const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
        socket.once('close', () => clearTimeout(linger));
      };
    },
  };
  return connection;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
