import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from './echo-service.ts';

export interface Child {
  readonly process: ChildProcess;
  /** Standard output so far. */
  output(): string;
  errors(): string;
  /** Settles with the process: its exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
}

/** Runs a file of test/fixtures in a child process, which ends with the test. */
export function run(fixture: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  const path = fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exit = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? '',
  );
  atEnd(() => {
    child.kill('SIGKILL');
    return exit;
  });
  return { process: child, output: () => output, errors: () => errors, exit };
}
