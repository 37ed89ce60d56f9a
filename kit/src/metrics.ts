import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { hostAndPort } from './host-port.ts';
import type { Running } from './lifecycle.ts';

/** Adds metrics whose values are kept elsewhere, and are read when they are asked for. */
export interface ValueMetrics {
  gauge(name: string, help: string, value: () => number): void;
  counter(name: string, help: string, value: () => number): void;
}

export function valueMetrics(registry: Registry): ValueMetrics {
  const registers = [registry];
  return {
    gauge: (name, help, value) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    },
    counter: (name, help, value) => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    },
  };
}

/**
 * Serves a registry at GET /metrics, in the text form that Prometheus reads.
 *
 * @param address host:port; port 0 takes a free one. Whoever reaches it reads everything in the registry.
 */
export async function metricsServer(address: string, registry: Registry): Promise<Running> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics') response.writeHead(404).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else {
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  const { host, port } = hostAndPort(address);
  await listen(server, host, port);
  const bound = server.address() as AddressInfo; // a TCP server that listens has one
  return { address: `${host.includes(':') ? `[${host}]` : host}:${bound.port}`, close: () => close(server) };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`cannot serve metrics on ${host}:${port}: ${error.message}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** A scrape takes milliseconds: what is open is cut off. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
