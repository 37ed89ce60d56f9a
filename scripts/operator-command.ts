import { loadDotEnv } from '@gatehouse/cli/dot-env';
import { printable } from '@gatehouse/cli/output/printable';
import { ConfigError } from '@gatehouse/kit/env';
import { Fault, Status } from '@gatehouse/kit/fault';

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
  /** Where it was asked, once that is known. */
  readonly asked: () => string | undefined;
}

/** Runs a command of operators with this process's arguments. What is unexpected is thrown, with its stack. */
export async function operatorCommand(command: OperatorCommand): Promise<void> {
  // The reader may close the pipe early: `| head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  try {
    loadDotEnv();
    process.exitCode = await command.run(process.argv.slice(2));
  } catch (error) {
    const { text, code } = failure(error, command);
    process.stderr.write(`${text}\n`);
    process.exitCode = code;
  }
}

function failure(error: unknown, command: OperatorCommand): { text: string; code: number } {
  const ownCode = command.codeOf(error);
  if (ownCode !== undefined)
    return { text: error instanceof Error ? error.message : String(error), code: ownCode };
  if (error instanceof ConfigError) return { text: error.message, code: USAGE };
  if (!(error instanceof Fault)) throw error;
  if (error.status === Status.INVALID_ARGUMENT) return { text: printable(error.message), code: USAGE };
  const asked = command.asked();
  const where = asked === undefined ? '' : `${asked}: `;
  const what = error.status === Status.UNAVAILABLE ? command.unanswered : printable(error.message);
  return { text: `${where}${what}`, code: FAILED };
}
