import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Running } from '../lifecycle.ts';
import { hostAndPort } from '../net/host-port.ts';

export interface OperationsOptions {
  readonly registry: Registry;
  /** Whether the process can do its work. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** An idle connection is closed after this time, so that it does not take up a slot. Default: 10 s. */
  readonly idle_timeout_ms?: number;
}

/** Prometheus, the kubelet and other monitors keep one or two each. */
const MAX_CONNECTIONS = 64;
const IDLE_TIMEOUT_MS = 10_000;
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };

/**
 * Serves the operations endpoints over plain HTTP: GET /metrics, in Prometheus's text format; /livez, 200 while the
 * process answers; /readyz, 200 while it is ready and 503 otherwise.
 *
 * @param address host:port; port 0 takes a free port. Everybody who can reach it can scrape the whole registry.
 */
export async function operationsServer(address: string, options: OperationsOptions): Promise<Running> {
  const server = createServer(TIMEOUTS, requestListener(options));
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = options.idle_timeout_ms ?? IDLE_TIMEOUT_MS;
  const { host, port } = hostAndPort(address);
  await listenOn(server, host, port);
  const bound = server.address() as AddressInfo; // a listening TCP server has one
  return { address: `${host.includes(':') ? `[${host}]` : host}:${bound.port}`, close: () => close(server) };
}

function requestListener({ registry, isReady }: OperationsOptions): RequestListener {
  let scraping: Promise<string> | undefined;
  /** Simultaneous scrapes share one reading, because some metrics query the database. */
  const scrape = (): Promise<string> => {
    scraping ??= registry.metrics().finally(() => {
      scraping = undefined;
    });
    return scraping;
  };
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      const text = await scrape();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
    '/livez': async (response) => sendText(response, 200, 'live'),
    '/readyz': async (response) =>
      (await isReady()) ? sendText(response, 200, 'ready') : sendText(response, 503, 'not ready'),
  };
  return ({ url = '', method }, response) => {
    const [path = ''] = url.split('?');
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer === undefined) response.writeHead(404).end();
    else if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end();
    else void answer(response).catch(() => response.writeHead(500).end());
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`cannot serve metrics on ${host}:${port}: ${error.message}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** A scrape takes milliseconds: open connections are cut off. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
