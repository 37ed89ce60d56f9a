/** The exit codes of every command; cli/README.md documents them. */
export const ExitCode = {
  DONE: 0,
  /** The command worked and its answer is no: denied, refused, rows left, a failed call. */
  NEGATIVE: 1,
  /** The command line, a setting or an input file is wrong. */
  USAGE: 2,
  /** The service or the Gateway does not answer, or cannot answer. */
  UNANSWERED: 3,
  /** Interrupted before it was done. */
  INTERRUPTED: 130,
} as const;

/** A command failed. The message is for people: it has the address that the command called, and the next step. */
export class CommandFailure extends Error {
  readonly exit_code: number;

  constructor(exit_code: number, message: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exit_code = exit_code;
  }
}

/** The command line or an input cannot be used. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(ExitCode.USAGE, message);
}
