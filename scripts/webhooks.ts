import { ConfigError } from '@gatehouse/kit/env';
import { Fault, Status } from '@gatehouse/kit/fault';
import { printable } from './auth/printable.ts';
import { HELP, readArguments, UsageError } from './webhooks/arguments.ts';
import { tryPayload } from './webhooks/try.ts';

/** The exit codes that the help promises. */
const NO_MESSAGE = 1;
const USAGE = 2;
const FAILED = 3;

/** `npm run webhooks`: why nothing arrived, and what a payload becomes. */
async function main(args: readonly string[]): Promise<void> {
  const options = readArguments(args, process.env);
  if (options === 'help') process.stdout.write(HELP);
  else if (options.command === 'deliveries') {
    // Whoever tries a payload need not wait until gRPC is loaded.
    const { askForDeliveries } = await import('./webhooks/ask-for-deliveries.ts');
    await askForDeliveries(options);
  } else if (!(await tryPayload(options))) process.exitCode = NO_MESSAGE;
}

function failure(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError || error instanceof ConfigError)
    return { text: error.message, code: USAGE };
  if (!(error instanceof Fault)) throw error;
  if (error.status === Status.INVALID_ARGUMENT) return { text: printable(error.message), code: USAGE };
  if (error.status === Status.UNAVAILABLE) {
    return { text: 'The webhook-delivery service or its database does not answer.', code: FAILED };
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
