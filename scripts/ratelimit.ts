import { ConfigError } from '@gatehouse/kit/env';
import { Fault, Status } from '@gatehouse/kit/fault';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { operatorCertificates } from './operator-tls.ts';
import { HELP, type Options, readArguments, UsageError } from './ratelimit/arguments.ts';
import { check, type Peer } from './ratelimit/check.ts';
import { explain } from './ratelimit/explain.ts';
import { top } from './ratelimit/top.ts';

/** The exit codes that the help promises. */
const USAGE = 2;
const FAILED = 3;

/** `npm run ratelimit`: what operators ask of a running ratelimit service. */
async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const { address } = options;
  const certificates = operatorCertificates(process.env, address);
  const tls = certificates && { certificates, peer: 'ratelimit' };
  const connection = connect(RatelimitServiceDefinition, { address, transport: 'unary', tls });
  try {
    return await run(options, connection.client);
  } finally {
    connection.close();
    certificates?.close();
  }
}

async function run(options: Options, peer: Peer): Promise<number> {
  switch (options.command) {
    case 'check':
      return (await check(peer, options)) ? 0 : 1;
    case 'explain':
      return (await explain(peer, options)) ? 0 : 1;
    case 'top':
      await top(peer, options);
      return 0;
  }
}

function failure(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: error.message, code: USAGE };
  if (error instanceof ConfigError) return { text: error.message, code: USAGE };
  if (!(error instanceof Fault)) throw error;
  if (error.status === Status.INVALID_ARGUMENT) return { text: error.message, code: USAGE };
  if (error.status === Status.UNAVAILABLE) {
    return { text: 'The ratelimit service, or the store it needs, does not answer.', code: FAILED };
  }
  return { text: error.message, code: FAILED };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { text, code } = failure(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
