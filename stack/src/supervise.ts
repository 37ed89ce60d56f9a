import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { withLog } from '@gatehouse/dev-env/processes/open-log';
import { backOff } from './back-off.ts';

/** EX_CONFIG of sysexits.h: the process's settings cannot be used, and starting it again would not help. */
const EXIT_CONFIG = 78;
const LOG_MODE = 0o640;

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
  /** It ended since somebody else has a port that it should listen on. It is started again all the same. */
  readonly onPortLost?: (port: number) => void;
  /** It is killed if it has not ended so long after it was asked to. */
  readonly stop_within_ms: number;
}

export interface Supervised {
  readonly name: string;
  readonly log_file: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** From now on it is not started again when it ends. */
  keepDown(): void;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
  kill(): void;
}

/** Keeps a process running: when it ends, it is started again after a wait, which grows while it goes on to end. */
export function supervise(options: ProcessOptions): Supervised {
  const { name, log_file, say, onBadConfig, onPortLost, stop_within_ms } = options;
  const nextWait = backOff();
  let child: ChildProcess | undefined;
  let again: NodeJS.Timeout | undefined;
  let down = false;
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
      if (down) return ended();
      if (how === `code ${EXIT_CONFIG}`) {
        say(`${name} cannot use its settings and is not started again. Its log: ${log_file}`);
        return onBadConfig(run.lastWords());
      }
      const wait_ms = nextWait(performance.now() - startedAt);
      say(`${name} ended (${how}); starting it again in ${wait_ms} ms. Its log: ${log_file}`);
      if (run.lastWords() !== said) for (const line of lastLines(run.lastWords())) say(`  ${line}`);
      said = run.lastWords();
      const lost = /EADDRINUSE.*?:(\d{1,5})\b(?!:)/.exec(run.lastWords())?.[1];
      if (lost !== undefined) onPortLost?.(Number(lost));
      again = setTimeout(start, wait_ms);
    });
  }

  function keepDown(): void {
    down = true;
    clearTimeout(again);
    if (child === undefined) ended();
  }

  start();
  return {
    name,
    log_file,
    pid: () => child?.pid,
    keepDown,
    stop: async () => {
      keepDown();
      child?.kill('SIGTERM');
      const killer = setTimeout(() => {
        say(`${name} has not ended within ${stop_within_ms / 1000} s of being asked to; killing it`);
        child?.kill('SIGKILL');
      }, stop_within_ms);
      await end;
      clearTimeout(killer);
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
  /** Undefined if it could not be started. */
  readonly child: ChildProcess | undefined;
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
  const [command, commandArgs] = dieWithParent('TERM', process.execPath, args);
  let words = '';
  let child: ChildProcess;
  try {
    child = withLog(log_file, LOG_MODE, (log) =>
      spawn(command, commandArgs, { cwd, env, detached: true, stdio: ['ignore', log, 'pipe'] }),
    );
  } catch (error) {
    // Most failures are events; that there is no memory for it is one of those that are thrown.
    return { child: undefined, exited: Promise.resolve(String(error)), lastWords: () => words };
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    appendIfPossible(log_file, text);
    words = (words + text).slice(-4096);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
  return { child, exited, lastWords: () => words.trim() };
}

/** The disk may be full, or the folder gone. */
function appendIfPossible(file: string, text: string): void {
  try {
    appendFileSync(file, text, { mode: LOG_MODE });
  } catch {}
}
