import { createServer, METHODS, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerConnect } from './http/broken-request.ts';
import { MAX_HEADERS, requestId, UNKNOWN_METHOD } from './http/request-headers.ts';
import { AdmissionQueue } from './overload/admission-queue.ts';
import { countedResponse } from './overload/counted-response.ts';
import type { Overload } from './overload/overload.ts';
import { isUpgrade } from './tunnel/is-upgrade.ts';
import type { Tunnels } from './tunnel/tunnels.ts';

export interface HttpServerOptions {
  readonly overload: Overload;
  readonly tunnels: Tunnels;
  readonly max_header_bytes: number;
  /** Whether a request starts at once, ahead of the admission queue. */
  isProbe(url: string): boolean;
  readonly handle: RequestListener;
}

const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
const NOTHING = Buffer.alloc(0);
const KNOWN_METHODS: ReadonlySet<string | undefined> = new Set(METHODS);

/** Node's HTTP server, with bounds for its clients. */
export function httpServer(options: HttpServerOptions): Server {
  const { overload, tunnels, max_header_bytes, isProbe, handle } = options;
  const { clients, refusals } = overload;
  const server = nodeServer(overload, max_header_bytes);
  const queue = new AdmissionQueue(({ request, response }) => handle(request, response));
  clients.follow(server, queue);
  server.on('request', (request, response) => {
    const connection = clients.of(request.socket);
    if (connection === undefined) return; // refused, and closed
    // Node's parser accepts the methods of RTSP, which METHODS does not list and the router does not know.
    if (!KNOWN_METHODS.has(request.method)) request.method = UNKNOWN_METHOD;
    if (isProbe(request.url ?? '')) {
      connection.addStarted({ request, response });
      handle(request, response);
    } else {
      connection.addWaiting({ request, response });
      queue.enqueue(connection);
    }
  });
  // Node would answer an unknown expectation with an empty 417. It may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // The client has read no byte of an answer for too long, or has sent no further request.
  server.on('timeout', (socket: Socket) => {
    if (clients.of(socket)?.isIdle() === false) refusals.count('untaken_answers');
    socket.destroy();
  });
  server.on('upgrade', (request, _socket, head) => {
    const { socket } = request;
    const rest = clients.of(socket)?.leaveHttp() ?? NOTHING;
    tunnels.open(request, socket, Buffer.concat([head, rest]));
  });
  server.on('connect', (request, socket) => {
    clients.of(socket as Socket)?.ignoreRest(); // Node has freed its parser, which may serve another connection
    answerConnect(socket as Socket, requestId(request));
  });
  return server;
}

/** Configures Node's HTTP server. It has no listeners yet. */
function nodeServer({ bounds, clients }: Overload, max_header_bytes: number): Server {
  const server = createServer({
    ServerResponse: countedResponse((bytes) => clients.wrote(bytes)),
    maxHeaderSize: max_header_bytes,
    requireHostHeader: false, // Node's own answer has no body
    headersTimeout: bounds.headers_timeout_ms,
    requestTimeout: bounds.request_timeout_ms,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    optimizeEmptyRequests: true,
    // Other upgrades, and those behind unanswered requests, are answered as plain requests.
    shouldUpgradeCallback: (request) =>
      isUpgrade(request) && clients.of(request.socket)?.hasUnanswered() === false,
  });
  server.timeout = bounds.answer_timeout_ms;
  // Node drops further headers: one above the maximum shows that there were too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // A client that closes its side after a complete request still gets the answer. Node has no documented option for
  // it.
  Object.assign(server, { httpAllowHalfOpen: true });

  // Node considers a connection idle once its answer is written, even if the client has not received it.
  server.closeIdleConnections = () => clients.closeIdle();
  return server;
}
