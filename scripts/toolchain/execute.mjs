import { spawn } from 'node:child_process';

/** Runs a program to its end. Returns its standard output with `capture`; otherwise that goes to standard error. */
export function execute(command, args, { capture = false, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', capture ? 'pipe' : 2, 2] });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.once('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}
