import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LONG_HEAD_BYTES } from './head-turns.ts';
import { FULL_HEADS_BYTES, type Head, headOf } from './heads.ts';
import type { BytesHolder } from './held-bytes.ts';
import { type RequestFeed, requestFeed } from './request-feed.ts';

/** A request that Node's HTTP server has parsed the head of. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A client's connection, with its requests and unsent answers. It holds bytes that are no request yet, and the heads of
 * requests until they are answered.
 */
export interface ClientConnection extends BytesHolder {
  readonly socket: Socket;
  /** The peer's address, IPv6 by /64; undefined for a trusted proxy. */
  readonly address: string | undefined;
  /** Requests that have arrived and have not started. */
  readonly waiting: Arrived[];
  /** How many requests have started and are not answered. */
  started: number;
  /** Whether it is in the admission queue. */
  isQueued: boolean;
  /** The process's count of arrived requests at its last one: a low number is a connection that was idle for long. */
  lastArrival: number;
  /** Whether a request has ever come. */
  isUsed: boolean;
  /**
   * Bytes of answers that the client has not taken, including answers that wait for an earlier one. Of a tunnel, bytes
   * that either side has not taken.
   */
  unsentBytes(): number;
  /** Counts a request as unanswered until its response has closed. */
  arrive(arrived: Arrived): void;
  /** Whether it has neither an unanswered request nor a part of one. */
  isIdle(): boolean;
  /** Whether the request that is being answered is the last that has come. */
  isLastRequest(): boolean;
  /**
   * Ends the connection after the answer that is under way. For two seconds what the client still sends is read and
   * dropped: closing at once would reset the connection, and the client could lose the answer.
   */
  endAfterAnswer(): void;
  /** Whether a request of it is not answered. */
  hasUnanswered(): boolean;
  /** Takes it out of HTTP: it counts as a connection, and is never idle. Gives the bytes that are not parsed. */
  leaveHttp(): Buffer;
  /** How many bytes are kept of its request since it left HTTP, and of which client. */
  keeps(bytes: number, address: string | undefined): void;
  /** The other end of its tunnel: what waits there was sent by this client. */
  tunnelTo(other: Socket): void;
  /** Drops all that the client still sends, unparsed. */
  ignoreRest(): void;
  /** Goes on parsing, if that is allowed. */
  resume(): void;
}

export interface ClientConnectionOptions {
  readonly address: string | undefined;
  readonly max_pipelined_requests: number;
  /** The client's address, IPv6 by /64. */
  clientOf(request: IncomingMessage): string;
  /** Whether more of a long head may be parsed now. If not, the connection is resumed later. */
  mayGoOn(connection: ClientConnection): boolean;
  /** Whether the next request may be parsed now. If not, the connection is resumed later. */
  mayParseNext(): boolean;
  /** Called when a request was answered or its connection lost. */
  onAnswered(): void;
  /** Called when the held bytes have changed, with the difference. */
  onHeld(bytes: number, address: string | undefined): void;
}

interface HeldOutside {
  readonly address: string | undefined;
  readonly heldBytes: number;
}

const LINGER_MS = 2_000;
const CR = 0x0d;
const LF = 0x0a;

let arrivals = 0;

export function clientConnection(socket: Socket, options: ClientConnectionOptions): ClientConnection {
  const { address, max_pipelined_requests, clientOf, mayGoOn, mayParseNext, onAnswered, onHeld } = options;
  const waiting: Arrived[] = [];
  const unanswered = new Map<ServerResponse, Head>();
  /** Of the unanswered requests' heads. */
  let unansweredBytes = 0;
  /** Whether so much is unanswered that no further request is parsed. */
  let isFull = false;
  /** Bytes that were parsed of a request whose head is not complete, or of the trailers behind its body. */
  let headBytes = 0;
  /** Whether the slice that is being parsed has brought a part of a body. */
  let hadBody = false;
  let arrivedInSlice = false;
  let wasInBody = false;
  let unparsedBytes = 0;
  /** The bytes of its request that are kept since it left HTTP. */
  let outside: HeldOutside = { address, heldBytes: 0 };
  let hasLeft = false;
  let otherEnd: Socket | undefined;
  /** The request that arrived last, whose body may still be coming. */
  let last: IncomingMessage | undefined;

  const feed: RequestFeed = requestFeed(socket, {
    mayParse: () => {
      if (inBody()) return !isBodyUnread();
      return !isFull && (headBytes < LONG_HEAD_BYTES || mayGoOn(connection)) && mayParseNext();
    },
    inBody,
    inHead: () => headBytes > 0,
    parsed: (slice) => {
      headBytes = isOfHead(slice) || isOfTrailers() ? headBytes + slice.length : 0;
      arrivedInSlice = false;
      hadBody = false;
      wasInBody = inBody();
      dropTrailers();
    },
    stopped: () => countUnparsed(socket.destroyed || hasLeft ? 0 : headBytes + feed.keptBytes()),
  });
  socket.once('close', () => {
    countUnparsed(0);
    keeps(0, address);
    // Node does this too, but not after a CONNECT.
    for (const response of unanswered.keys()) response.destroy();
  });

  /** Whether the slice held only a part of a head. Blank lines before a head do not count (RFC 9112 §2.2). */
  function isOfHead(slice: Buffer): boolean {
    if (arrivedInSlice || wasInBody || inBody()) return false;
    return headBytes > 0 || !slice.every((byte) => byte === CR || byte === LF);
  }

  /** Whether the slice held nothing but what follows a body in chunks. */
  function isOfTrailers(): boolean {
    return wasInBody && inBody() && !hadBody && last?.headers['transfer-encoding'] !== undefined;
  }

  /** Nobody reads them, and they would be kept with their request. */
  function dropTrailers(): void {
    if (last?.complete === true && last.rawTrailers.length > 0) last.rawTrailers = [];
  }

  function countUnparsed(bytes: number): void {
    if (bytes === unparsedBytes) return;
    const before = unparsedBytes;
    unparsedBytes = bytes;
    onHeld(bytes - before, address);
  }

  function keeps(bytes: number, client: string | undefined): void {
    const before = outside;
    outside = { address: client, heldBytes: bytes };
    if (before.heldBytes > 0) onHeld(-before.heldBytes, before.address);
    if (bytes > 0) onHeld(bytes, client);
  }

  function hold(response: ServerResponse, head: Head): void {
    unanswered.set(response, head);
    unansweredBytes += head.bytes;
    if (unanswered.size >= max_pipelined_requests || unansweredBytes >= FULL_HEADS_BYTES) isFull = true;
    onHeld(head.heldBytes, head.address);
  }

  function letGo(response: ServerResponse): void {
    const head = unanswered.get(response);
    if (head === undefined) return;
    unanswered.delete(response);
    unansweredBytes -= head.bytes;
    const hasRoom = unanswered.size <= max_pipelined_requests / 2 && unansweredBytes <= FULL_HEADS_BYTES / 2;
    if (hasRoom) isFull = false;
    onHeld(-head.heldBytes, head.address);
  }

  function inBody(): boolean {
    return last !== undefined && !last.complete;
  }

  /** Whether a body's parsed bytes are not read yet: then no more of it is parsed, and the rest stays with the client. */
  function isBodyUnread(): boolean {
    return last?.readableFlowing !== true && (last?.readableLength ?? 0) > 0;
  }

  /** Called when a response has closed. */
  function answered(this: ServerResponse): void {
    letGo(this);
    connection.started--;
    if (unanswered.size === 0 && !inBody()) last = undefined;
    feed.resume();
    onAnswered();
  }

  const connection: ClientConnection = {
    socket,
    address,
    waiting,
    started: 0,
    isQueued: false,
    lastArrival: arrivals,
    isUsed: false,
    unsentBytes: () => {
      let bytes = socket.writableLength + (otherEnd?.writableLength ?? 0);
      // writableLength of the response that has the socket includes the socket's own.
      for (const response of unanswered.keys())
        if (response.socket === null) bytes += response.writableLength;
      return bytes;
    },
    heldBytes: () => {
      const held = new Map<string | undefined, number>();
      const add = (of: string | undefined, bytes: number): void => {
        if (bytes > 0) held.set(of, (held.get(of) ?? 0) + bytes);
      };
      add(address, unparsedBytes);
      for (const head of [outside, ...unanswered.values()]) add(head.address, head.heldBytes);
      return held;
    },
    close: () => {
      socket.destroy();
      countUnparsed(0);
      keeps(0, address);
      for (const response of unanswered.keys()) {
        letGo(response);
        response.destroy();
      }
    },
    arrive: ({ request, response }) => {
      dropTrailers();
      last = request;
      arrivedInSlice = true;
      connection.lastArrival = ++arrivals;
      connection.isUsed = true;
      response.on('close', answered);
      if (hasBody(request)) {
        request.on('resume', feed.resume);
        const push = request.push;
        request.push = (chunk, encoding) => {
          hadBody = true;
          return push.call(request, chunk, encoding);
        };
      }
      hold(response, headOf(request, address ?? clientOf(request)));
    },
    isIdle: () => !hasLeft && unanswered.size === 0 && headBytes + feed.keptBytes() === 0,
    isLastRequest: () => unanswered.size === 1 && headBytes + feed.keptBytes() === 0,
    hasUnanswered: () => unanswered.size > 0,
    leaveHttp: () => {
      hasLeft = true;
      countUnparsed(0);
      return feed.release();
    },
    keeps,
    tunnelTo: (other) => {
      otherEnd = other;
    },
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
