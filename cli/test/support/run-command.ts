import { PassThrough, Writable } from 'node:stream';
import { run } from '../../src/program.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** A command under way, in this process. */
export interface RunningCommand {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Interrupts the command, like SIGINT. */
  readonly interrupt: () => void;
  readonly ended: Promise<Ended>;
}

/** Runs a command line in this process until it ends. */
export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startCommand(args, options).ended;
}

export function startCommand(
  args: readonly string[],
  { env = {}, input = '' }: RunOptions = {},
): RunningCommand {
  const [stdout, stderr] = [collector(), collector()];
  const interrupt = new AbortController();
  const stdin = new PassThrough();
  stdin.end(input);
  const runtime = { env, stdin, stdout: stdout.stream, stderr: stderr.stream, signal: interrupt.signal };
  const ended = run(args, runtime).then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() }));
  return { stdout: stdout.text, stderr: stderr.text, interrupt: () => interrupt.abort(), ended };
}

function collector() {
  const parts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (part, _, done) => {
      parts.push(String(part));
      done();
    },
  });
  return { stream, text: () => parts.join('') };
}
