import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../log.ts';
import { hostAndPort } from '../net/host-port.ts';
import { connectionLimits } from '../system/descriptors.ts';
import { throttledLog } from '../throttled-log.ts';
import type { Certificates } from './tls/certificates.ts';
import { type Connected, secureServer } from './tls/secure-server.ts';

/** Accepts connections for a gRPC server. */
export interface Listener {
  /** Returns the port. */
  listen(address: string): Promise<number>;
  /** The name of the peer that makes this call; undefined without mutual TLS, or if its connection is closed. */
  peerOf(call: Connected): string | undefined;
  /** Accepts no further connections. Resolves when the server has ended the open ones. */
  close(): Promise<void>;
  /** Closes the open connections. */
  cutOff(): void;
}

export interface ListenerOptions {
  /** Enables mutual TLS. */
  readonly certificates?: Certificates | undefined;
  readonly max_connections?: number | undefined;
  readonly log: Logger;
}

/**
 * Accepts connections and passes them to a gRPC server. grpc-js could accept them itself, but would take so many that
 * the process runs out of file descriptors.
 */
export function listener(
  server: Server,
  { certificates, max_connections = connectionLimits().peers, log }: ListenerOptions,
): Listener {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const open = new Set<Socket>();
  const ended = Promise.withResolvers<void>();
  let closing = false;
  const logRejected = throttledLog((times: number, reason: Error) =>
    log.warn({ err: reason, connections: times }, 'connections are turned away'),
  );

  function accept(socket: Socket): void {
    socket.on('error', () => undefined); // the HTTP/2 session handles it
    if (closing) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      endIfDone();
    });
    injector.injectConnection(socket);
  }

  /** On shutdown grpc-js does not wait for connections that were passed to it. */
  function endIfDone(): void {
    if (closing && open.size === 0) ended.resolve();
  }

  const secure = certificates && secureServer({ certificates, accept, logRejected });
  const accepting: NetServer = secure?.server ?? createServer({ noDelay: true }, accept);
  accepting.maxConnections = max_connections;
  accepting.on('drop', () => logRejected(new Error(`${accepting.maxConnections} connections are open`)));
  accepting.on('error', logRejected);

  return {
    listen: (address) => listenOn(accepting, address),
    peerOf: (call) => secure?.peerOf(call),
    close: () => {
      closing = true;
      secure?.stopFollowing();
      accepting.close();
      endIfDone();
      return ended.promise;
    },
    cutOff: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

function listenOn(server: NetServer, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`cannot listen on ${address}: ${error.message}`)));
    server.listen(hostAndPort(address), () => {
      const bound = server.address();
      resolve(bound !== null && typeof bound === 'object' ? bound.port : 0);
    });
  });
}
