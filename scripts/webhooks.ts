import { operatorCommand, USAGE } from './operator-command.ts';
import { HELP, readArguments, UsageError } from './webhooks/arguments.ts';
import { tryPayload } from './webhooks/try.ts';

const NO_MESSAGE = 1;

let asked: string | undefined;

/** `npm run webhooks`: why nothing arrived, and what a payload becomes. */
async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (options.command === 'try') return (await tryPayload(options)) ? 0 : NO_MESSAGE;
  asked = options.address;
  // Whoever tries a payload need not wait until gRPC is loaded.
  const { askForDeliveries } = await import('./webhooks/ask-for-deliveries.ts');
  await askForDeliveries(options);
  return 0;
}

await operatorCommand({
  run,
  codeOf: (error) => (error instanceof UsageError ? USAGE : undefined),
  asked: () => asked,
  unanswered: 'The webhook-delivery service or its database does not answer.',
});
