import { IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { afterEarlierAnswers, answerBrokenRequest } from './http/broken-request.ts';
import { parseHead } from './http/parse-head.ts';
import { UNKNOWN_METHOD } from './http/request-headers.ts';
import type { ClientConnection } from './overload/client-connection.ts';
import type { ClientConnections } from './overload/client-connections.ts';
import { countedResponse } from './overload/counted-response.ts';

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The parser's last bytes, and how many of them it parsed. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

export interface UnknownMethodOptions {
  readonly clients: ClientConnections;
  readonly handle: RequestListener;
  /** Maximum time until the head is complete. */
  readonly head_timeout_ms: number;
}

/**
 * The parser's error codes for unknown methods, and for methods that it knows but does not accept in HTTP/1.1: those of
 * RTSP, and PRI, with which HTTP/2 begins.
 */
const CODES: ReadonlySet<string | undefined> = new Set([
  'HPE_INVALID_METHOD',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_VERSION',
]);
/** As for all other heads. */
const MAX_HEAD_BYTES = 64 * 1024;
const LF = 0x0a;

/**
 * Makes the function that answers a request whose method Node's parser does not know, such as `FOO` or `get`. The answer is
 * that of any request without a route, and ends the connection. Returns false for any other error.
 */
export function unknownMethodHandler({ clients, handle, head_timeout_ms }: UnknownMethodOptions) {
  const underWay = new WeakSet<Socket>();
  const Response = countedResponse((bytes) => clients.wrote(bytes));

  return (error: ParserError, socket: Socket): boolean => {
    if (underWay.has(socket)) return true;
    const connection = clients.of(socket);
    const { code, rawPacket, bytesParsed = 0 } = error;
    if (connection === undefined || !Buffer.isBuffer(rawPacket) || !CODES.has(code)) return false;
    underWay.add(socket);
    const withoutPacket = Object.assign(new Error(error.message), { code });
    const first = Buffer.concat([beginningOf(rawPacket, bytesParsed), connection.leaveHttp()]);
    new PendingHead(connection, head_timeout_ms, (request) => {
      if (socket.destroyed) return;
      if (request === undefined) answerBrokenRequest(withoutPacket, socket);
      else afterEarlierAnswers(socket, () => answer(request, connection));
    }).read(first);
    return true;
  };

  function answer(request: IncomingMessage, connection: ClientConnection): void {
    const { socket } = request;
    Object.assign(request, { method: UNKNOWN_METHOD, complete: true });
    request.push(null);
    const response = new Response(request);
    response.shouldKeepAlive = false;
    connection.addStarted({ request, response });
    connection.endAfterAnswer();
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.destroySoon();
    });
    response.assignSocket(socket);
    handle(request, response);
  }
}

type OnHead = (request: IncomingMessage | undefined) => void;

/** A head that is read from a socket without Node's parser. */
class PendingHead {
  readonly #connection: ClientConnection;
  readonly #onHead: OnHead;
  readonly #timeout: NodeJS.Timeout;
  #bytes: Buffer = Buffer.alloc(0);
  readonly #onData = (chunk: Buffer): void => this.#add(chunk);
  readonly #giveUp = (): void => this.#settle(undefined);

  /** Calls `onHead` once: with the request, or with undefined if the head is invalid or not complete in time. */
  constructor(connection: ClientConnection, timeout_ms: number, onHead: OnHead) {
    this.#connection = connection;
    this.#onHead = onHead;
    this.#timeout = setTimeout(this.#giveUp, timeout_ms).unref();
  }

  /** Reads the head, which begins with the bytes that Node's parser has refused. */
  read(first: Buffer): void {
    const { socket } = this.#connection;
    socket.on('data', this.#onData).on('end', this.#giveUp).on('close', this.#giveUp);
    socket.resume();
    this.#add(first);
  }

  /** Parses the request line after each chunk, and the headers once, when they are complete. */
  #add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const head = this.#bytes;
    const isTooLong = head.length >= MAX_HEAD_BYTES;
    const lineBytes = head.indexOf(LF) + 1;
    const isComplete = isTooLong || lineBytes === 0 || endOfHead(head) > 0;
    const text = head.toString('latin1', 0, isComplete ? MAX_HEAD_BYTES : lineBytes);
    const parsed = parseHead(text, isTooLong);
    const { afterHttp, ipGroup, socket } = this.#connection;
    if (parsed === 'incomplete') afterHttp.hold(head.length, ipGroup);
    else this.#settle(parsed === 'broken' ? undefined : Object.assign(new IncomingMessage(socket), parsed));
  }

  #settle(request: IncomingMessage | undefined): void {
    const { afterHttp, ipGroup, socket } = this.#connection;
    clearTimeout(this.#timeout);
    afterHttp.hold(0, ipGroup);
    socket.off('data', this.#onData).off('end', this.#giveUp).off('close', this.#giveUp);
    this.#connection.ignoreRest();
    this.#onHead(request);
  }
}

/** The position of the blank line that ends the head; -1 without one. */
function endOfHead(head: Buffer): number {
  return Math.max(head.indexOf('\n\r\n'), head.indexOf('\n\n'));
}

/**
 * The packet from the beginning of the line in which the parser stopped. If it stopped right after a line, from the
 * beginning of that line.
 */
function beginningOf(packet: Buffer, stoppedAt: number): Buffer {
  const before = packet.lastIndexOf(LF, Math.max(stoppedAt - 2, 0));
  return packet.subarray(before < 0 || before >= stoppedAt ? 0 : before + 1);
}
