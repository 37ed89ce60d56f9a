import { constants } from 'node:crypto';
import { createServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import { hostAndPort } from '../host-port.ts';
import type { Logger } from '../log.ts';
import { sparingly } from '../log-sparingly.ts';
import type { Certificates } from './certificates.ts';
import { peerName } from './peer-name.ts';

/** A call of grpc-js, as far as it tells of its connection. */
interface Connected {
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
}

/** Where peers with certificates connect to a gRPC server. */
export interface SecureListener {
  /** Gives the port. */
  listen(address: string): Promise<number>;
  /** Whose call it is. */
  peerOf(call: Connected): string | undefined;
  /** Takes no further connections; resolves when the server has ended those that it has. */
  close(): Promise<void>;
}

const HANDSHAKE_WITHIN_MS = 5_000;

/**
 * Takes connections over mutual TLS and hands them to a gRPC server. Here and not in grpc-js, so that a peer is named
 * once a connection, one without a name is turned away, and handshakes that fail are told of.
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
      // A session that is resumed shows no certificate anew. Connections live for minutes: none is worth it.
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
    (socket) => {
      socket.on('error', () => undefined); // its session hears of it, too
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
  listener.on('error', (error) => turnedAway(error)); // such as that no file may be opened any more
  const unfollow = certificates.onChange(() =>
    listener.setSecureContext({
      ...certificates.material(),
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET,
    }),
  );

  /** grpc-js waits for the connections of ports of its own, and not for these. */
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

/** grpc-js asks for it with each call, and Node makes it anew each time. */
function remember(socket: TLSSocket, certificate: PeerCertificate): void {
  Object.assign(socket, { getPeerCertificate: () => certificate });
}
