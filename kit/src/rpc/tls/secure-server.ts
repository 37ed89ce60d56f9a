import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type PeerCertificate, type Server, type TLSSocket } from 'node:tls';
import type { Certificates } from './certificates.ts';
import { peerName } from './peer-name.ts';

/** The part of a grpc-js call that identifies its connection. */
export interface Connected {
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
}

/** Accepts connections over mutual TLS. */
export interface SecureServer {
  readonly server: Server;
  /** The name of the peer that makes this call; undefined if its connection is closed. */
  peerOf(call: Connected): string | undefined;
  /** Stops following certificate changes. */
  stopFollowing(): void;
}

export interface SecureServerOptions {
  readonly certificates: Certificates;
  /** Takes each connection of a peer with a valid name. */
  readonly accept: (socket: Socket) => void;
  readonly logRejected: (reason: Error) => void;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;

/**
 * Accepts TLS connections. grpc-js could do the handshake itself, but here the peer's name is read once per
 * connection, a certificate without a name is refused, and failed handshakes are logged.
 */
export function secureServer({ certificates, accept, logRejected }: SecureServerOptions): SecureServer {
  const names = new WeakMap<PeerCertificate, string>();
  const server = createServer(
    {
      ...certificates.material(),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['h2'],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // A resumed TLS session would skip the certificate. Connections live for minutes, so resumption would save
      // little.
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
    (socket) => {
      const certificate = socket.getPeerCertificate();
      const name = peerName(certificate.subjectaltname);
      if (name === undefined || socket.alpnProtocol !== 'h2') {
        socket.on('error', () => undefined);
        logRejected(
          new Error(name === undefined ? 'the certificate names no process' : 'the peer speaks no HTTP/2'),
        );
        socket.destroy();
        return;
      }
      names.set(certificate, name);
      remember(socket, certificate);
      accept(socket);
    },
  );
  server.on('tlsClientError', logRejected);
  const stopFollowing = certificates.onChange(() =>
    server.setSecureContext({
      ...certificates.material(),
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET,
    }),
  );
  return {
    server,
    peerOf: (call) => {
      const { sslPeerCertificate } = call.getAuthContext();
      return sslPeerCertificate && names.get(sslPeerCertificate);
    },
    stopFollowing,
  };
}

/** grpc-js reads the certificate with each call, and Node would parse it each time. */
function remember(socket: TLSSocket, certificate: PeerCertificate): void {
  Object.assign(socket, { getPeerCertificate: () => certificate });
}
