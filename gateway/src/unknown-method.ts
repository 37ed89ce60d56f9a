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
  readonly within_ms: number;
}

/**
 * The codes for unknown methods, for methods of RTSP, and for PRI, the first word of HTTP/2: the parser knows these,
 * but not in HTTP/1.1.
 */
const CODES: ReadonlySet<string | undefined> = new Set([
  'HPE_INVALID_METHOD',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_VERSION',
]);
/** The maximum of other heads. */
const MAX_HEAD_BYTES = 64 * 1024;
const LF = 0x0a;

/**
 * Makes the function that answers a request whose method Node's parser does not know, such as `FOO` or `get`: like
 * any request that no route matches, and as the last of its connection. It returns false for any other error.
 */
export function unknownMethods({ clients, handle, within_ms }: UnknownMethodOptions) {
  const underWay = new WeakSet<Socket>();
  const Response = countedResponse((bytes) => clients.wrote(bytes));

  return (error: ParserError, socket: Socket): boolean => {
    if (underWay.has(socket)) return true;
    const connection = clients.of(socket);
    const { code, rawPacket, bytesParsed = 0 } = error;
    if (connection === undefined || !Buffer.isBuffer(rawPacket) || !CODES.has(code)) return false;
    underWay.add(socket);
    const refused = Object.assign(new Error(error.message), { code }); // without the packet
    let head = Buffer.concat([beginningOf(rawPacket, bytesParsed), connection.leaveHttp()]);

    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      judge();
    };
    const late = setTimeout(() => settle(undefined), within_ms).unref();
    const ended = (): void => settle(undefined);
    function settle(request: IncomingMessage | undefined): void {
      clearTimeout(late);
      connection?.afterHttp.hold(0, connection.address);
      socket.off('data', read).off('end', ended).off('close', ended);
      connection?.ignoreRest();
      if (socket.destroyed) return;
      if (request === undefined) answerBrokenRequest(refused, socket);
      else afterEarlierAnswers(socket, () => answer(request, connection as ClientConnection));
    }
    /** Runs after each chunk. The headers are parsed once, when they are complete. */
    function judge(): void {
      const isLong = head.length >= MAX_HEAD_BYTES;
      const line = head.indexOf(LF) + 1;
      const isWhole = isLong || line === 0 || endOfHead(head) > 0;
      const text = head.toString('latin1', 0, isWhole ? MAX_HEAD_BYTES : line);
      const parsed = parseHead(text, isLong);
      if (parsed === 'incomplete') connection?.afterHttp.hold(head.length, connection.address);
      else settle(parsed === 'broken' ? undefined : Object.assign(new IncomingMessage(socket), parsed));
    }

    socket.on('data', read).on('end', ended).on('close', ended);
    socket.resume();
    judge();
    return true;
  };

  function answer(request: IncomingMessage, connection: ClientConnection): void {
    const { socket } = request;
    Object.assign(request, { method: UNKNOWN_METHOD, complete: true });
    request.push(null);
    const response = new Response(request);
    response.shouldKeepAlive = false;
    connection.arrive({ request, response });
    connection.started++;
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

/** The position of the blank line that ends the head; -1 without one. */
function endOfHead(head: Buffer): number {
  return Math.max(head.indexOf('\n\r\n'), head.indexOf('\n\n'));
}

/** The bytes from the beginning of the line in which, or after which, the parser stopped. */
function beginningOf(packet: Buffer, stoppedAt: number): Buffer {
  const before = packet.lastIndexOf(LF, Math.max(stoppedAt - 2, 0));
  return packet.subarray(before < 0 || before >= stoppedAt ? 0 : before + 1);
}
