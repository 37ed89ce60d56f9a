/** A problem of a file of descriptors, with its place. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The mistake, and its remedy. */
  readonly message: string;
}

/** `file:line:column: message`, as compilers print it. */
export function problemText({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${message}`;
}
