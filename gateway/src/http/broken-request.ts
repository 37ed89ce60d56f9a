import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Fault, invalidForm } from '@gatehouse/kit/fault';
import { fault, notFound } from './http-error.ts';
import { endWithError } from './raw-answer.ts';
import { newRequestId } from './request-headers.ts';

/** Answers requests that Node's HTTP parser refuses, in the form of the API's errors. */
export function answerBrokenRequest(error: Error & { code?: string | undefined }, socket: Socket): void {
  // The request came after one with `Connection: close`; that one's answer ends the connection.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  if (error.code === 'ECONNRESET') socket.destroy(error);
  else answerLast(parserFault(error.code), socket);
}

/**
 * CONNECT is a request to a proxy, which the edge is not. Node has removed its listeners from the socket. Without new
 * ones a reset by the client would end this process, and a client that reads nothing would keep the socket open for
 * ever.
 */
export function answerConnect(socket: Socket, request_id: string): void {
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  answerLast(notFound(), socket, request_id);
}

/** Answers after the connection's earlier requests are answered, and closes it. Further bytes are dropped. */
function answerLast(error: Fault, socket: Socket, request_id = newRequestId()): void {
  afterEarlierAnswers(socket, () => endWithError(error, socket, request_id));
}

/** Calls `then` once the connection's earlier requests are answered, unless it is closed by then. */
export function afterEarlierAnswers(socket: Socket, then: () => void): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const earlier = answerUnderWay(socket);
  if (earlier === undefined) {
    then();
    return;
  }
  if (waiting.has(socket)) return;
  waiting.add(socket);
  earlier.once('close', () => {
    waiting.delete(socket);
    afterEarlierAnswers(socket, then);
  });
}

const waiting = new WeakSet<Socket>();

/**
 * The open answer to an earlier, complete request of this connection. Node keeps it on the socket under a private
 * name, and reads it there itself before it answers (lib/_http_server.js, `socketOnError`).
 */
function answerUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | undefined {
  const { _httpMessage: answer } = socket;
  return answer?.req.complete === true ? answer : undefined;
}

function parserFault(code: string | undefined): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headTooLong();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fault('REQUEST_TIMEOUT');
    default:
      return notHttp();
  }
}

export function notHttp(): Fault {
  return invalidForm([{ path: 'root', code: 'INVALID_FORMAT', message: 'Not an HTTP request.' }]);
}

export function headTooLong(): Fault {
  return fault('REQUEST_HEADER_FIELDS_TOO_LARGE');
}
