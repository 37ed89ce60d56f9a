import { constants } from 'node:crypto';
import { createServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import { hostAndPort } from '../host-port.ts';
import type { Logger } from '../log.ts';
import { sparingly } from '../log-sparingly.ts';
import type { Certificates } from './certificates.ts';
import { peerName } from './peer-name.ts';

/** What a call of grpc-js tells about its connection. */
interface Connected {
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
}

/** Accepts connections over mutual TLS for a gRPC server. */
export interface SecureListener {
  /** Returns the port. */
  listen(address: string): Promise<number>;
  /** The name of the peer that makes this call; undefined if its connection is closed. */
  peerOf(call: Connected): string | undefined;
  /** Accepts no further connections. Resolves when the server has ended the open ones. */
  close(): Promise<void>;
}

const HANDSHAKE_WITHIN_MS = 5_000;

/**
 * Accepts connections over mutual TLS and hands them to a gRPC server. grpc-js could accept them itself, but here
 * the peer's name is read once a connection, a certificate without a name is refused, and failed handshakes are
 * logged.
 */
export function secureListener(server: Server, certificates: Certificates, log: Logger): SecureListener {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const names = new WeakMap<PeerCertificate, string>();
  const open = new Set<TLSSocket>();
  const ended = Promise.withResolvers<void>();
  let closing = false;
  const turnedAway = sparingly((times: number, reason: unknown) =>
    log.warn({ err: reason, connections: times }, 'connections are turned away'),
  );
  const listener = createServer(
    {
      ...certificates.material(),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['h2'],
      handshakeTimeout: HANDSHAKE_WITHIN_MS,
      // A resumed TLS session would skip the certificate. Connections live for minutes, so nothing is lost.
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
    (socket) => {
      socket.on('error', () => undefined); // the HTTP/2 session handles it
      if (closing) {
        socket.destroy();
        return;
      }
      const certificate = socket.getPeerCertificate();
      const name = peerName(certificate.subjectaltname);
      if (name === undefined || socket.alpnProtocol !== 'h2') {
        turnedAway(
          new Error(name === undefined ? 'the certificate names no process' : 'the peer speaks no HTTP/2'),
        );
        socket.destroy();
        return;
      }
      names.set(certificate, name);
      remember(socket, certificate);
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        endIfDone();
      });
      injector.injectConnection(socket);
    },
  );
  listener.on('tlsClientError', (error) => turnedAway(error));
  listener.on('error', (error) => turnedAway(error)); // for example, too many open files
  const unfollow = certificates.onChange(() =>
    listener.setSecureContext({
      ...certificates.material(),
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET,
    }),
  );

  /** On shutdown grpc-js does not wait for connections that were handed to it. */
  function endIfDone(): void {
    if (closing && open.size === 0) ended.resolve();
  }

  return {
    listen: (address) =>
      new Promise((resolve, reject) => {
        listener.once('error', (error) => reject(new Error(`cannot listen on ${address}: ${error.message}`)));
        listener.listen(hostAndPort(address), () => {
          const bound = listener.address();
          resolve(bound !== null && typeof bound === 'object' ? bound.port : 0);
        });
      }),
    peerOf: (call) => {
      const { sslPeerCertificate } = call.getAuthContext();
      return sslPeerCertificate && names.get(sslPeerCertificate);
    },
    close: () => {
      closing = true;
      unfollow();
      listener.close();
      endIfDone();
      return ended.promise;
    },
  };
}

/** grpc-js asks for the certificate with each call, and Node would parse it each time. */
function remember(socket: TLSSocket, certificate: PeerCertificate): void {
  Object.assign(socket, { getPeerCertificate: () => certificate });
}
