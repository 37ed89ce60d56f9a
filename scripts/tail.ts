import { printable } from '@gatehouse/cli/output/printable';
import { say } from './demo/terminal.ts';
import { FAILED, operatorCommand, USAGE } from './operator-command.ts';
import { HELP, readArguments, type TailOptions } from './tail/arguments.ts';
import { NoGateway, TokenRefused } from './tail/errors.ts';
import { findGateway } from './tail/find-gateway.ts';
import { readToken } from './tail/read-token.ts';
import { tail } from './tail/tail.ts';
import { UsageError } from './tail/usage-error.ts';

const REFUSED = 1;

let asked: string | undefined;

/** `npm run tail`: what a session is told, live. */
async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const leave = new AbortController();
  // Not once: npm and the terminal may both pass a Ctrl-C on.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leave.abort());
  try {
    await show(options, leave.signal);
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  }
  return 0;
}

async function show(options: TailOptions, signal: AbortSignal): Promise<void> {
  const token = await readToken(options.token, process.stdin, signal);
  const url = options.url ?? (await findGateway(`${options.base_url}/api/v1`, signal));
  asked = url;
  await tail({ ...options, token, url, print: say, note, signal });
}

function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

function codeOf(error: unknown): number | undefined {
  if (error instanceof UsageError) return USAGE;
  if (error instanceof TokenRefused) return REFUSED;
  return error instanceof NoGateway ? FAILED : undefined;
}

await operatorCommand({ run, codeOf, asked: () => asked, unanswered: 'The Gateway does not answer.' });
// A connection to a server that hangs would keep the process alive.
process.exit();
