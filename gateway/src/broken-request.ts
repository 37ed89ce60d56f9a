import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Fault, invalidForm, Status } from '@gatehouse/kit/fault';
import { COMMON_HEADERS } from './common-headers.ts';
import { httpError } from './http-error.ts';

/** Answers, in the contract's form, what Node's HTTP parser could not make a request of. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Behind a request with `Connection: close`, whose answer is under way and ends the connection.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { body } = httpError(faultOf(error.code));
  const reason = (JSON.parse(body) as { error: string }).error;
  socket.end(
    [
      `HTTP/1.1 ${reason}`,
      'Content-Type: application/json; charset=utf-8',
      `X-Request-Id: ${randomUUID()}`,
      ...Object.entries(COMMON_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
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
