import type { Socket } from 'node:net';
import type { Fault } from '@gatehouse/kit/fault';
import { COMMON_HEADERS } from './common-headers.ts';
import { httpError } from './http-error.ts';

/** Answers with an error on a connection that Node's HTTP server has released, and closes it. */
export function endWithError(fault: Fault, socket: Socket, request_id: string): void {
  const { headers, body } = httpError(fault);
  const reason = (JSON.parse(body) as { error: string }).error;
  socket.end(
    [
      `HTTP/1.1 ${reason}`,
      'Content-Type: application/json',
      `X-Request-Id: ${request_id}`,
      ...Object.entries({ ...COMMON_HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
