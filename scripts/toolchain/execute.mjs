import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

/**
 * Runs a program to its end. Its output goes to standard error. With `capture` its standard output is returned; with
 * `quiet` everything is printed only if it fails.
 */
export function execute(command, args, { capture = false, quiet = false, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', capture || quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
    });
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    child.once('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      if (quiet) print(output + errors);
      reject(new Error(`${command} ${args.join(' ')} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

/** A closed standard error is ignored. */
function print(text) {
  try {
    writeSync(2, text);
  } catch {}
}
