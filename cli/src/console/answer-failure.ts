import { CommandFailure, ExitCode } from '../failures.ts';
import { listOf, textOf } from '../json/members.ts';
import { printable } from '../output/printable.ts';
import { TOKEN_ADVICE } from './console-target.ts';

interface FailedAnswer {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly answer: unknown;
  /** Method and URL. */
  readonly request: string;
}

/** The failure of a command by the console's answer: its message, where it came from, and what to do. */
export function answerFailure({ status, answer, request }: FailedAnswer): CommandFailure {
  const message = textOf(answer, 'message');
  if (message === undefined)
    return new CommandFailure(
      ExitCode.UNANSWERED,
      `${request} was answered ${status}, but not as a console answers. Is this the console's URL?`,
    );
  const code = textOf(answer, 'code');
  const lines = [
    `${printable(message)}${code === undefined ? '' : ` (${printable(code)})`}`,
    ...fieldErrors(answer).map((line) => `  ${printable(line)}`),
    `${request} was answered ${status}.`,
    ...(status === 401 ? [TOKEN_ADVICE] : []),
    ...(status === 403 ? ['An operator with a higher role may do this: gatehouse operators list'] : []),
  ];
  return new CommandFailure(exitCodeOf(status), lines.join('\n'));
}

function exitCodeOf(status: number): number {
  if (status === 400 || status === 413 || status === 422) return ExitCode.USAGE;
  return status >= 500 ? ExitCode.UNANSWERED : ExitCode.NEGATIVE;
}

/** A line "field: message" for each wrong field. */
function fieldErrors(answer: unknown): string[] {
  return listOf(answer, 'errors').map(
    (one) => `${textOf(one, 'path') ?? 'request'}: ${textOf(one, 'message') ?? 'wrong'}`,
  );
}
