import type { SecureClientSessionOptions } from 'node:http2';
import type { PeerCertificate } from 'node:tls';
import { type ChannelCredentials, type ChannelOptions, credentials, experimental } from '@grpc/grpc-js';
import type { Certificates } from './certificates.ts';
import { peerName } from './peer-name.ts';

/** Mutual TLS for calls to the replicas of a service. */
export interface ClientTls {
  /** This process's certificates, for every connection it opens. */
  readonly certificates: Certificates;
  /** The name that the replica's certificate must have. The host is not compared: it may be any address. */
  readonly peer: string;
}

/** Options for a session of node:http2. */
export function http2Tls({ certificates, peer }: ClientTls): SecureClientSessionOptions {
  return { secureContext: certificates.context(), servername: peer, checkServerIdentity: checkName };
}

/** Options for a channel of grpc-js, which uses the current certificates for each new connection. */
export function channelTls(tls: ClientTls | undefined): { via: ChannelCredentials; options: ChannelOptions } {
  if (tls === undefined) return { via: credentials.createInsecure(), options: DIRECT };
  const provider = certificateProvider(tls.certificates);
  const via = experimental.createCertificateProviderChannelCredentials(provider, provider, {
    checkServerIdentity: checkName,
  });
  return { via, options: { ...DIRECT, 'grpc.ssl_target_name_override': tls.peer } };
}

/** Otherwise grpc-js would connect through the proxy in `grpc_proxy`, `https_proxy` or `http_proxy`. */
const DIRECT: ChannelOptions = { 'grpc.enable_http_proxy': 0 };

/** Replaces Node's comparison with the host. `peer` is the server name that was passed. */
function checkName(peer: string, { subjectaltname }: PeerCertificate): Error | undefined {
  const name = peerName(subjectaltname);
  return name === peer ? undefined : new Error(`the certificate names ${name ?? 'no process'}, not ${peer}`);
}

function certificateProvider(certificates: Certificates): experimental.CertificateProvider {
  const stops = new Map<unknown, () => void>();
  const follow = (listener: unknown, notify: () => void): void => {
    stops.set(listener, certificates.onChange(notify));
    notify();
  };
  const leave = (listener: unknown): void => {
    stops.get(listener)?.();
    stops.delete(listener);
  };
  return {
    addCaCertificateListener: (listener) =>
      follow(listener, () => listener({ caCertificate: certificates.material().ca })),
    removeCaCertificateListener: leave,
    addIdentityCertificateListener: (listener) =>
      follow(listener, () => {
        const { cert, key } = certificates.material();
        listener({ certificate: cert, privateKey: key });
      }),
    removeIdentityCertificateListener: leave,
  };
}
