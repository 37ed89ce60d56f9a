import { ConfigError } from '@gatehouse/kit/env';
import { Fault, Status } from '@gatehouse/kit/fault';
import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { HELP, readArguments, UsageError } from './auth/arguments.ts';
import { events } from './auth/events.ts';
import type { Peer } from './auth/peer.ts';
import { printable } from './auth/printable.ts';
import { KeysDiffer, reencrypt } from './auth/reencrypt.ts';
import { operatorCertificates } from './operator-tls.ts';

/** The exit codes that the help promises. */
const LEFT = 1;
const USAGE = 2;
const FAILED = 3;

/** `npm run auth`: the operators' commands for a running auth service. */
async function main(args: readonly string[]): Promise<void> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return;
  }
  if (options.command === 'events') {
    await withPeer(options.address, (peer) => events(peer, options));
  } else if (!(await reencrypt(withPeer, options))) {
    process.exitCode = LEFT;
  }
}

async function withPeer<T>(address: string, action: (peer: Peer) => Promise<T>): Promise<T> {
  const certificates = operatorCertificates(process.env, address);
  const tls = certificates && { certificates, peer: 'auth' };
  const connection = connect(AuthServiceDefinition, { address, transport: 'unary', tls });
  try {
    return await action(connection.client);
  } finally {
    connection.close();
    certificates?.close();
  }
}

function failure(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: error.message, code: USAGE };
  if (error instanceof KeysDiffer) return { text: error.message, code: FAILED };
  if (error instanceof ConfigError) return { text: error.message, code: USAGE };
  if (!(error instanceof Fault)) throw error;
  if (error.status === Status.INVALID_ARGUMENT) return { text: printable(error.message), code: USAGE };
  if (error.status === Status.UNAVAILABLE) {
    return { text: 'The auth service or its database does not answer.', code: FAILED };
  }
  return { text: printable(error.message), code: FAILED };
}

// The reader may close the pipe early: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { text, code } = failure(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
