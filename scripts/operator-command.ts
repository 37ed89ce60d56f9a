import { ConfigError } from '@gatehouse/kit/env';
import { Fault, Status } from '@gatehouse/kit/fault';
import { printable } from './auth/printable.ts';

/** The exit codes that the help of these commands promises. */
export const USAGE = 2;
export const FAILED = 3;

export interface OperatorCommand {
  /** Does what the command line says, and returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
  /** The exit code of an error of the command's own, whose message is shown as it is. */
  readonly codeOf: (error: unknown) => number | undefined;
  /** What is said when the service does not answer. */
  readonly unanswered: string;
}

/** Runs a command of operators with this process's arguments. What is unexpected is thrown, with its stack. */
export async function operatorCommand({ run, codeOf, unanswered }: OperatorCommand): Promise<void> {
  // The reader may close the pipe early: `| head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { text, code } = failure(error, codeOf(error), unanswered);
    process.stderr.write(`${text}\n`);
    process.exitCode = code;
  }
}

function failure(
  error: unknown,
  ownCode: number | undefined,
  unanswered: string,
): { text: string; code: number } {
  if (ownCode !== undefined)
    return { text: error instanceof Error ? error.message : String(error), code: ownCode };
  if (error instanceof ConfigError) return { text: error.message, code: USAGE };
  if (!(error instanceof Fault)) throw error;
  if (error.status === Status.INVALID_ARGUMENT) return { text: printable(error.message), code: USAGE };
  if (error.status === Status.UNAVAILABLE) return { text: unanswered, code: FAILED };
  return { text: printable(error.message), code: FAILED };
}
