import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Fault, invalidForm } from '@gatehouse/kit/fault';
import { fault } from '../errors.ts';
import { httpError } from './http-error.ts';

/**
 * Answers a request that Node's HTTP parser refuses, and closes the connection.
 *
 * @param headers those of every answer
 */
export function answerBrokenRequest(
  error: Error & { readonly code?: string | undefined },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers: own, body } = httpError(faultOf(error.code));
  const text = JSON.stringify(body);
  const all = {
    ...headers,
    ...own,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  );
}

function faultOf(code: string | undefined): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return fault('REQUEST_HEADER_FIELDS_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fault('REQUEST_TIMEOUT');
    default:
      return invalidForm([{ path: '', code: 'INVALID_FORMAT', message: 'Not an HTTP request.' }]);
  }
}
