import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Fault, invalidForm, Status } from '@gatehouse/kit/fault';
import { COMMON_HEADERS } from './common-headers.ts';
import { httpError, notFound } from './http-error.ts';
import { newRequestId } from './request-headers.ts';

/** Answers, in the API's form, what Node's HTTP parser could not make a request of. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Behind a request with `Connection: close`, whose answer is under way and ends the connection.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  if (error.code === 'ECONNRESET') socket.destroy(error);
  else answerLast(faultOf(error.code), socket);
}

/**
 * CONNECT is for proxies, and the edge is none. Node has taken its own listeners off the socket: without another
 * a client that resets the connection would end this process, and one that reads nothing would keep it for ever.
 */
export function answerConnect(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  answerLast(notFound(), socket);
}

/** Answers come in the order of their requests; what else arrives behind the broken one is as broken. */
function answerLast(fault: Fault, socket: Socket): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const earlier = answerUnderWay(socket);
  if (earlier === undefined) {
    endWith(fault, socket);
    return;
  }
  if (waiting.has(socket)) return;
  waiting.add(socket);
  earlier.once('close', () => {
    waiting.delete(socket);
    answerLast(fault, socket);
  });
}

function endWith(fault: Fault, socket: Socket): void {
  const { body } = httpError(fault);
  const reason = (JSON.parse(body) as { error: string }).error;
  socket.end(
    [
      `HTTP/1.1 ${reason}`,
      'Content-Type: application/json; charset=utf-8',
      `X-Request-Id: ${newRequestId()}`,
      ...Object.entries(COMMON_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}

const waiting = new WeakSet<Socket>();

/**
 * The answer to a whole request that came before on this connection. Node keeps it on the socket, and
 * looks there itself before it answers (lib/_http_server.js, `socketOnError`); it has no public name.
 */
function answerUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | undefined {
  const { _httpMessage: answer } = socket;
  return answer?.req.complete === true ? answer : undefined;
}

function faultOf(code: string | undefined): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Fault({
        status: Status.INVALID_ARGUMENT,
        reason: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
        message: 'The request line and headers are too long.',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Fault({
        status: Status.DEADLINE_EXCEEDED,
        reason: 'REQUEST_TIMEOUT',
        message: 'The request did not arrive in time.',
      });
    default:
      return notHttp();
  }
}

export function notHttp(): Fault {
  return invalidForm([{ path: 'root', code: 'INVALID_FORMAT', message: 'Not an HTTP request.' }]);
}
