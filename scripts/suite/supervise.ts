import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { dieWithParent } from '@gatehouse/dev-env/die-with-parent';
import { backOff } from './back-off.ts';

/** EX_CONFIG of sysexits.h: the process's settings cannot be used, and starting it again would not help. */
const EXIT_CONFIG = 78;

export interface ProcessOptions {
  readonly name: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log_file: string;
  readonly say: (line: string) => void;
  /** Its settings cannot be used; the text says why. It is not started again. */
  readonly onBadConfig: (text: string) => void;
}

export interface Supervised {
  readonly name: string;
  readonly log_file: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
  kill(): void;
}

/** Keeps a process running: when it ends, it is started again after a wait, which grows while it goes on to end. */
export function supervise(options: ProcessOptions): Supervised {
  const { name, log_file, say, onBadConfig } = options;
  const nextWait = backOff();
  let child: ChildProcess | undefined;
  let again: NodeJS.Timeout | undefined;
  let stopping = false;
  let said = '';
  let ended: () => void = () => undefined;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });

  function start(): void {
    const startedAt = performance.now();
    const run = runProcess(options);
    child = run.child;
    void run.exited.then((how) => {
      child = undefined;
      if (stopping) return ended();
      if (how === `code ${EXIT_CONFIG}`) {
        say(`${name} cannot use its settings and is not started again. Its log: ${log_file}`);
        return onBadConfig(run.lastWords());
      }
      const wait_ms = nextWait(performance.now() - startedAt);
      say(`${name} ended (${how}); starting it again in ${wait_ms} ms. Its log: ${log_file}`);
      if (run.lastWords() !== said) for (const line of lastLines(run.lastWords())) say(`  ${line}`);
      said = run.lastWords();
      again = setTimeout(start, wait_ms);
    });
  }

  start();
  return {
    name,
    log_file,
    pid: () => child?.pid,
    stop: () => {
      stopping = true;
      clearTimeout(again);
      if (child === undefined) ended();
      child?.kill('SIGTERM');
      return end;
    },
    kill: () => void child?.kill('SIGKILL'),
  };
}

/** The last lines that it wrote, without the stack, which is in the log. */
function lastLines(words: string): string[] {
  return words
    .split('\n')
    .filter((line) => line !== '' && !/^\s+at /.test(line))
    .slice(-3);
}

interface Run {
  readonly child: ChildProcess;
  /** `code 1`, `signal SIGKILL`, or why it could not be started. */
  readonly exited: Promise<string>;
  /** The end of its standard error. */
  lastWords(): string;
}

/**
 * Logs go straight to the file, past this process. In a session of its own, so that Ctrl-C in a
 * terminal reaches the supervisor alone, which stops everybody in order.
 */
function runProcess({ args, cwd, env, log_file }: ProcessOptions): Run {
  const log = openSync(log_file, 'a', 0o640);
  const [command, commandArgs] = dieWithParent('TERM', process.execPath, args);
  const child = spawn(command, commandArgs, { cwd, env, detached: true, stdio: ['ignore', log, 'pipe'] });
  closeSync(log);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    appendFileSync(log_file, text);
    words = (words + text).slice(-4096);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
  return { child, exited, lastWords: () => words.trim() };
}
