import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { withLog } from '@gatehouse/dev-env/processes/with-log';
import { backOff } from './back-off.ts';
import { lostPort } from './port-lost.ts';

/** EX_CONFIG of sysexits.h: the process cannot use its settings, so a restart would not help. */
const EXIT_CONFIG = 78;
const LOG_MODE = 0o640;
const MAX_ERROR_LENGTH = 4_096;

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
  const supervisor = new Supervisor(options);
  supervisor.start();
  return supervisor;
}

class Supervisor implements Supervised {
  readonly name: string;
  readonly log_file: string;
  readonly #options: ProcessOptions;
  readonly #nextWait = backOff();
  /** Resolves once the process has ended and is not restarted. */
  readonly #ended = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #isKeptDown = false;
  /** The error output that was reported last. */
  #lastReported = '';

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.log_file = options.log_file;
    this.#options = options;
  }

  start(): void {
    const startedAt = performance.now();
    const { child, ended } = runProcess(this.#options);
    this.#child = child;
    void ended.then((end) => this.#onEnd(end, performance.now() - startedAt));
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  keepDown(): void {
    this.#isKeptDown = true;
    clearTimeout(this.#restartTimer);
    if (this.#child === undefined) this.#ended.resolve();
  }

  async stop(): Promise<void> {
    const { say, stop_within_ms } = this.#options;
    this.keepDown();
    this.#child?.kill('SIGTERM');
    const killer = setTimeout(() => {
      say(`${this.name} has not stopped within ${stop_within_ms / 1000} s; killing it`);
      this.kill();
    }, stop_within_ms);
    await this.#ended.promise;
    clearTimeout(killer);
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #onEnd({ cause, errors }: ProcessEnd, ran_ms: number): void {
    const { say, onBadConfig, onPortLost } = this.#options;
    this.#child = undefined;
    if (this.#isKeptDown) {
      this.#ended.resolve();
      return;
    }
    if (cause === `code ${EXIT_CONFIG}`) {
      say(`${this.name} cannot use its settings and is not restarted. Its log: ${this.log_file}`);
      onBadConfig(errors);
      return;
    }
    const wait_ms = this.#nextWait(ran_ms);
    say(`${this.name} ended (${cause}); restarting it in ${wait_ms} ms. Its log: ${this.log_file}`);
    if (errors !== this.#lastReported) for (const line of lastLines(errors)) say(`  ${line}`);
    this.#lastReported = errors;
    const port = lostPort(errors);
    if (port !== undefined) onPortLost?.(port);
    this.#restartTimer = setTimeout(() => this.start(), wait_ms);
  }
}

/** The last lines of the error output, without the stack trace, which is in the log. */
function lastLines(errors: string): string[] {
  return errors
    .split('\n')
    .filter((line) => line !== '' && !/^\s+at /.test(line))
    .slice(-3);
}

interface ProcessRun {
  /** Undefined if it could not be started. */
  readonly child: ChildProcess | undefined;
  readonly ended: Promise<ProcessEnd>;
}

interface ProcessEnd {
  /** `code 1`, `signal SIGKILL`, or the error of the start. */
  readonly cause: string;
  /** The end of its standard error. */
  readonly errors: string;
}

/**
 * Logs go to the file without passing through this process. The child is detached from the terminal, so that Ctrl-C in
 * a terminal reaches only the supervisor, which stops all processes in order.
 */
function runProcess({ args, cwd, env, log_file }: ProcessOptions): ProcessRun {
  const [command, commandArgs] = dieWithParent('TERM', process.execPath, args);
  let child: ChildProcess;
  try {
    child = withLog(log_file, LOG_MODE, (log) =>
      spawn(command, commandArgs, { cwd, env, detached: true, stdio: ['ignore', log, 'pipe'] }),
    );
  } catch (error) {
    // Most errors are events; a lack of memory is thrown.
    return { child: undefined, ended: Promise.resolve({ cause: String(error), errors: '' }) };
  }
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    appendIfPossible(log_file, text);
    errors = (errors + text).slice(-MAX_ERROR_LENGTH);
  });
  const cause = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
  return { child, ended: cause.then((cause) => ({ cause, errors: errors.trim() })) };
}

/** The disk may be full, or the folder may be gone. */
function appendIfPossible(file: string, text: string): void {
  try {
    appendFileSync(file, text, { mode: LOG_MODE });
  } catch {}
}
