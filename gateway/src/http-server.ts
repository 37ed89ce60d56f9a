import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerConnect } from './broken-request.ts';
import { admissionQueue } from './overload/admission-queue.ts';
import type { Overload } from './overload/overload.ts';

export interface HttpServerOptions {
  readonly overload: Overload;
  readonly max_header_bytes: number;
  /** What is answered at once, whatever waits. */
  isProbe(url: string): boolean;
  readonly handle: RequestListener;
}

const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const CHECK_TIMEOUTS_EVERY_MS = 1_000;

/** Node's HTTP server, behind the bounds of what its clients may hold. */
export function httpServer({ overload, max_header_bytes, isProbe, handle }: HttpServerOptions): Server {
  const { bounds, clients, refusals } = overload;
  const server = createServer({
    maxHeaderSize: max_header_bytes,
    requireHostHeader: false, // Node's own answer has no body
    headersTimeout: bounds.headers_timeout_ms,
    requestTimeout: bounds.request_timeout_ms,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    optimizeEmptyRequests: true,
  });
  server.timeout = bounds.answer_timeout_ms;
  // Who half-closes after whole requests still gets their answers (undocumented, and off unless set).
  Object.assign(server, { httpAllowHalfOpen: true });

  // To Node a connection is idle whose answer is written, though its client has not taken it.
  server.closeIdleConnections = clients.closeIdle;

  const queue = admissionQueue({
    max_pipelined_requests: bounds.max_pipelined_requests,
    begin: ({ request, response }) => handle(request, response),
  });
  clients.follow(server, queue);
  server.on('request', (request, response) => {
    const connection = clients.of(request.socket);
    if (connection === undefined) return; // refused, and closed already
    const arrived = { request, response };
    connection.arrive(arrived);
    if (isProbe(request.url ?? '')) {
      connection.begun++;
      handle(request, response);
    } else {
      connection.waiting.push(arrived);
      queue.offer(connection);
    }
  });
  // Node would answer an unknown expectation with an empty 417; it may as well be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Of an answer that is under way nothing was taken for too long; or nothing was asked for too long.
  server.on('timeout', (socket: Socket) => {
    if (clients.of(socket)?.isIdle() === false) refusals.count('untaken_answers');
    socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    clients.of(socket as Socket)?.ignoreRest(); // its parser may be another connection's by now
    answerConnect(socket as Socket);
  });
  return server;
}
