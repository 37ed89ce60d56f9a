import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { HELP, readArguments, UsageError } from './auth/arguments.ts';
import { events } from './auth/events.ts';
import type { Peer } from './auth/peer.ts';
import { KeysDiffer, reencrypt } from './auth/reencrypt.ts';
import { FAILED, operatorCommand, USAGE } from './operator-command.ts';
import { operatorCertificates } from './operator-tls.ts';

/** Rows were left that the first key cannot decrypt. */
const LEFT = 1;

let asked: string | undefined;

/** `npm run auth`: the operators' commands for a running auth service. */
async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  asked = options.address;
  if (options.command === 'reencrypt') return (await reencrypt(withPeer, options)) ? 0 : LEFT;
  await withPeer(options.address, (peer) => events(peer, options));
  return 0;
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

function codeOf(error: unknown): number | undefined {
  if (error instanceof UsageError) return USAGE;
  return error instanceof KeysDiffer ? FAILED : undefined;
}

await operatorCommand({
  run,
  codeOf,
  asked: () => asked,
  unanswered: 'The auth service or its database does not answer.',
});
