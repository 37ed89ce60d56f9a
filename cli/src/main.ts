#!/usr/bin/env node
import { ConfigError } from '@gatehouse/kit/env';
import { loadDotEnv } from './dot-env.ts';
import { ExitCode } from './failures.ts';
import { run } from './program.ts';

// The reader may close the pipe early: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(ExitCode.DONE);
});

const interrupt = new AbortController();
// `on`, not `once`: npm and the terminal may each forward the same Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt.abort());

/** Runs the command line of this process. */
async function main(): Promise<number> {
  try {
    loadDotEnv();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return ExitCode.USAGE;
  }
  const { env, stdin, stdout, stderr } = process;
  return run(process.argv.slice(2), { env, stdin, stdout, stderr, signal: interrupt.signal });
}

// A connection to a server that hangs would keep the process alive.
process.exit(await main());
