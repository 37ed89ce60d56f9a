import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { ServerTls } from './tls.ts';

const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than the pause between two events of a stream. */
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
const MAX_CONNECTIONS = 512;

/** Node's HTTP or HTTPS server, with bounds for its clients. */
export function httpServer(handle: RequestListener, tls: ServerTls | undefined): Server {
  const bounds = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // Node's own answer lacks the headers of every answer
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
  };
  // Node's HTTPS server has all members of its HTTP server, and no common type.
  const server =
    tls === undefined
      ? createServer(bounds, handle)
      : (createSecureServer({ ...tls, ...bounds }, handle) as unknown as Server);
  // So does its answer to an unknown expectation, which may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', handle);
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
