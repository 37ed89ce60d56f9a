import { addressVariable } from '@gatehouse/proto/services';
import { Option } from 'commander';
import type { Server } from '../stack/servers.ts';
import { addresses, oneAddress } from './parsers.ts';

/** Options that several commands have. */

export function jsonOption(description = 'print JSON, one object a line'): Option {
  return new Option('--json', description);
}

/** The addresses of a service, any replica of which can answer. */
export function addressOption(server: Server): Option {
  return new Option('--address <host:port,…>', `the service (default: ${sourcesOf(server)})`).argParser(
    addresses,
  );
}

/** The address of one process of a service. */
export function processOption(server: Server): Option {
  return new Option(
    '--address <host:port>',
    `one process of the service (default: ${sourcesOf(server)})`,
  ).argParser(oneAddress);
}

/** For the help text of commands that call a service. */
export const TLS_HELP = `
If the service requires mutual TLS, set RPC_TLS_DIR to a folder with operator.pem, operator-key.pem and ca.pem,
or RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA to the three files.`;

function sourcesOf(server: Server): string {
  return `${addressVariable(server)}, or the stack on this machine`;
}
