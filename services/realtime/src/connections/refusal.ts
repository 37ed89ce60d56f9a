import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The status of a refused handshake. */
export type RefusalStatus = keyof typeof REFUSALS;

/** The answers, in the form of the API's errors (docs/errors.md#error-response). */
const REFUSALS = {
  400: {
    code: 'BAD_REQUEST',
    message: 'Not a WebSocket handshake.',
    headers: { 'sec-websocket-version': '13' },
  },
  404: { code: 'NOT_FOUND', message: 'There is no such route.' },
  408: { code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' },
  426: { code: 'UPGRADE_REQUIRED', message: 'This is a WebSocket.', headers: { upgrade: 'websocket' } },
  429: {
    code: 'RATE_LIMITED',
    message: 'Too many connections from this address.',
    members: { global: false, retry_after: 1 },
    headers: { 'retry-after': '1' },
  },
  431: { code: 'REQUEST_HEADER_FIELDS_TOO_LARGE', message: 'The request line and headers are too long.' },
  503: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'No further connections are accepted now.',
    headers: { 'retry-after': '1' },
  },
} as const;

interface RefusalAnswer {
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request without an upgrade. */
export function refuseRequest(status: RefusalStatus, response: ServerResponse): void {
  const { headers, body } = answerOf(status, response.req);
  response.writeHead(status, headers).end(body);
}

/** Answers on a socket that Node's HTTP server has detached, and closes it within the time. */
export function refuseSocket(
  status: RefusalStatus,
  {
    socket,
    request,
    within_ms,
  }: { socket: Socket; request?: IncomingMessage | undefined; within_ms: number },
): void {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { reason, headers, body } = answerOf(status, request);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Unread bytes would reset the connection on close, and the answer would be lost.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), within_ms);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${reason}\r\n${lines.join('')}\r\n${body}`);
}

function answerOf(status: RefusalStatus, request: IncomingMessage | undefined): RefusalAnswer {
  const refusal: { code: string; message: string; members?: object; headers?: Record<string, string> } =
    REFUSALS[status];
  const reason = `${status} ${STATUS_CODES[status]}`;
  const { code, message, members } = refusal;
  const body = JSON.stringify({ error: reason, code, message, ...members });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...commonHeaders(request),
    'access-control-allow-origin': '*',
    connection: 'close',
    ...refusal.headers,
  };
  return { reason, headers, body };
}

/** Headers of every response, including the one that opens a WebSocket. */
export function commonHeaders(request: IncomingMessage | undefined): Readonly<Record<string, string>> {
  return { 'x-content-type-options': 'nosniff', 'x-request-id': requestId(request) };
}

/** The caller's request ID if it has at most 128 printable ASCII characters, or else a new one. */
function requestId(request: IncomingMessage | undefined): string {
  const sent = request?.headers['x-request-id'];
  return typeof sent === 'string' && /^[\x20-\x7e]{1,128}$/.test(sent)
    ? sent
    : randomBytes(12).toString('hex');
}
