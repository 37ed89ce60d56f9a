import { join } from 'node:path';
import { type EnvReader, isHostPort } from '../../env.ts';
import { hostAndPort, isLoopback } from '../../net/host-port.ts';

/** Paths of PEM files. */
export interface CertificateFiles {
  /** This process's certificate, followed by any intermediate certificates. */
  readonly cert: string;
  readonly key: string;
  /** The authorities that issue the certificates of all processes, and of nothing else. */
  readonly ca: string;
}

/** Where `gatehouse certificates` writes the files of the process with this name. */
export function certificateFilesIn(folder: string, name: string): CertificateFiles {
  return {
    cert: join(folder, `${name}.pem`),
    key: join(folder, `${name}-key.pem`),
    ca: join(folder, 'ca.pem'),
  };
}

/**
 * Reads RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA. All three together enable mutual TLS. Without them every address
 * must be on loopback, unless RPC_INSECURE=yes.
 *
 * @param addresses the names of the variables that hold gRPC addresses, of this process and of those that it calls
 */
export function readCertificateFiles(
  read: EnvReader,
  addresses: readonly string[],
): CertificateFiles | undefined {
  const insecure = read.choice('RPC_INSECURE', INSECURE) === 'yes';
  const cert = read.optionalText('RPC_TLS_CERT', CERT);
  const key = read.optionalText('RPC_TLS_KEY', KEY);
  const ca = read.optionalText('RPC_TLS_CA', CA);
  if (cert !== undefined && key !== undefined && ca !== undefined) return { cert, key, ca };
  if (cert !== undefined || key !== undefined || ca !== undefined)
    read.problem('RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA go together: all three, or none');
  else if (!insecure) {
    for (const name of addresses) {
      if (!isOnLoopback(read.raw(name)))
        read.problem(
          `${name} is beyond loopback, where gRPC needs mutual TLS: set RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA, or RPC_INSECURE=yes`,
        );
    }
  }
  return undefined;
}

const INSECURE = {
  about:
    '`yes` allows gRPC without TLS beyond loopback: every host that reaches a service can then make every call',
  choices: ['yes', 'no'],
  default: 'no',
} as const;
const CERT = {
  about: 'this process’s certificate for mutual TLS, a PEM file that is read again when it changes',
  unset: 'no TLS: set all three, or none',
};
const KEY = { about: 'its key, a PEM file', unset: 'no TLS' };
const CA = {
  about: 'the authorities that issue the certificates of these processes and no others, a PEM file',
  unset: 'no TLS',
};

/** An unset variable has a default on loopback. A malformed value is reported elsewhere. */
function isOnLoopback(addresses = ''): boolean {
  return addresses
    .split(',')
    .map((address) => address.trim())
    .every((address) => !isHostPort(address) || isLoopback(hostAndPort(address).host));
}
