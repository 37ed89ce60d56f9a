import { type EnvReader, isAddress } from '../env.ts';
import { hostAndPort, isLoopback } from '../host-port.ts';
import type { CertificateFiles } from './certificates.ts';

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
