import { join } from 'node:path';
import { type EnvReader, isAddress } from '../env.ts';
import { hostAndPort, isLoopback } from '../host-port.ts';

/** Paths of PEM files. */
export interface CertificateFiles {
  /** This process's certificate, and behind it those between it and the authority's, if there are any. */
  readonly cert: string;
  readonly key: string;
  /** Of the authorities that issue the certificates of all processes, and no others. */
  readonly ca: string;
}

/** Where `npm run certificates` puts a process's, by its name. */
export function certificateFilesIn(folder: string, name: string): CertificateFiles {
  return {
    cert: join(folder, `${name}.pem`),
    key: join(folder, `${name}-key.pem`),
    ca: join(folder, 'ca.pem'),
  };
}

/**
 * Reads RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA: all three turn on mutual TLS. Without them gRPC stays on this
 * machine: it is a problem if an address leads elsewhere, unless RPC_INSECURE says yes.
 *
 * @param addresses the variables that say where gRPC is served and called
 */
export function readCertificateFiles(
  read: EnvReader,
  addresses: readonly string[],
): CertificateFiles | undefined {
  const insecure = read.choice('RPC_INSECURE', ['yes', 'no'], 'no') === 'yes';
  const cert = read.optionalText('RPC_TLS_CERT');
  const key = read.optionalText('RPC_TLS_KEY');
  const ca = read.optionalText('RPC_TLS_CA');
  if (cert !== undefined && key !== undefined && ca !== undefined) return { cert, key, ca };
  if (cert !== undefined || key !== undefined || ca !== undefined)
    read.problem('RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA go together: all three, or none');
  else if (!insecure) {
    for (const name of addresses) {
      if (!isOnLoopback(read.optionalText(name)))
        read.problem(
          `${name} is beyond loopback, where gRPC needs mutual TLS: set RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA, or RPC_INSECURE=yes`,
        );
    }
  }
  return undefined;
}

/** Defaults are; and of what is no address, something else is told. */
function isOnLoopback(addresses = ''): boolean {
  return addresses
    .split(',')
    .map((address) => address.trim())
    .every((address) => !isAddress(address) || isLoopback(hostAndPort(address).host));
}
