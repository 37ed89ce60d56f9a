import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { withLog } from '@gatehouse/dev-env/processes/with-log';
import { backOff } from './back-off.ts';

/** EX_CONFIG of sysexits.h: the process cannot use its settings, so a restart would not help. */
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
  /** Called with the reason if it cannot use its settings. It is not restarted then. */
  readonly onBadConfig: (text: string) => void;
  /** Called if it ended because its port is taken. It is restarted. */
  readonly onPortLost?: (port: number) => void;
  /** A process that takes longer to stop is killed. */
  readonly stop_within_ms: number;
}

export interface Supervised {
  readonly name: string;
  readonly log_file: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** Stops restarting it. */
  keepDown(): void;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
  kill(): void;
}

/** Keeps a process running: restarts it when it ends, after a pause that grows while it keeps ending. */
export function supervise(options: ProcessOptions): Supervised {
  const { name, log_file, say, onBadConfig, onPortLost, stop_within_ms } = options;
  const nextWait = backOff();
  let child: ChildProcess | undefined;
  let restartTimer: NodeJS.Timeout | undefined;
  let down = false;
  let lastReported = '';
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
        say(`${name} cannot use its settings and is not restarted. Its log: ${log_file}`);
        return onBadConfig(run.lastWords());
      }
      const wait_ms = nextWait(performance.now() - startedAt);
      say(`${name} ended (${how}); restarting it in ${wait_ms} ms. Its log: ${log_file}`);
      if (run.lastWords() !== lastReported) for (const line of lastLines(run.lastWords())) say(`  ${line}`);
      lastReported = run.lastWords();
      const lost = /EADDRINUSE.*?:(\d{1,5})\b(?!:)/.exec(run.lastWords())?.[1];
      if (lost !== undefined) onPortLost?.(Number(lost));
      restartTimer = setTimeout(start, wait_ms);
    });
  }

  function keepDown(): void {
    down = true;
    clearTimeout(restartTimer);
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
        say(`${name} has not stopped within ${stop_within_ms / 1000} s; killing it`);
        child?.kill('SIGKILL');
      }, stop_within_ms);
      await end;
      clearTimeout(killer);
    },
    kill: () => void child?.kill('SIGKILL'),
  };
}

/** The last lines of its output, without the stack trace, which is in the log. */
function lastLines(words: string): string[] {
  return words
    .split('\n')
    .filter((line) => line !== '' && !/^\s+at /.test(line))
    .slice(-3);
}

interface Run {
  /** Undefined if it could not be started. */
  readonly child: ChildProcess | undefined;
  /** `code 1`, `signal SIGKILL`, or the error of the start. */
  readonly exited: Promise<string>;
  /** The end of its standard error. */
  lastWords(): string;
}

/**
 * Logs go to the file without passing through this process. The child is detached from the terminal, so that Ctrl-C in
 * a terminal reaches only the supervisor, which stops all processes in order.
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
    // Most errors are events; a lack of memory is thrown.
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

/** The disk may be full, or the folder may be gone. */
function appendIfPossible(file: string, text: string): void {
  try {
    appendFileSync(file, text, { mode: LOG_MODE });
  } catch {}
}
