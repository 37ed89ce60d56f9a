import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program to its end. Rejects if it fails. */
export const execFileAsync = promisify(execFile);
