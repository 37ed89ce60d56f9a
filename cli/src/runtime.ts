import type { Readable, Writable } from 'node:stream';

/** Standard output or standard error. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Standard input. */
export type Input = Readable & { readonly isTTY?: boolean };

/** The parts of `process` that commands use. Tests run commands with their own. */
export interface Runtime {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Set by commands whose answer is "no"; 0 unless set. */
  exitCode?: number;
}

export function printLine({ stdout }: Pick<Runtime, 'stdout'>, text: string): void {
  stdout.write(`${text}\n`);
}
