import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { COMPILE_CACHE } from '@gatehouse/stack/compile-ahead';

export interface ReplicaOptions {
  /** `chat-1` */
  readonly name: string;
  /** The program, from the clone's root. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  /** host:port of /readyz. */
  readonly metrics: string;
  readonly log_file: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256'];
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** A replica of a process, started and stopped as a container would be. */
export class Replica {
  readonly #options: ReplicaOptions;
  #child: ChildProcess | undefined;
  /** How it ended: `code 0` or a signal. */
  #ended: Promise<string> = Promise.resolve('');

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Resolves once it is ready. */
  async start(): Promise<void> {
    const { name, metrics } = this.#options;
    this.#launch();
    const until = performance.now() + READY_WITHIN_MS;
    while (!(await isReady(metrics))) {
      if (this.#child === undefined) throw this.#error(`${name} ended (${await this.#ended})`);
      if (performance.now() > until) throw this.#error(`${name} is not ready`);
      await sleep(POLL_MS);
    }
  }

  /** Ends it by SIGTERM. @throws Error for an exit code other than 0 */
  async stop(): Promise<void> {
    if (this.#child === undefined) return;
    this.#child.kill('SIGTERM');
    const how = await this.#ended;
    if (how !== 'code 0') throw this.#error(`${this.name} ended with ${how}`);
  }

  /** Ends it by SIGKILL. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  #launch(): void {
    const { entry, env, log_file } = this.#options;
    const log = openSync(log_file, 'a', 0o640);
    const [command, args] = dieWithParent('KILL', process.execPath, [...FLAGS, entry]);
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ['ignore', log, 'pipe'],
    });
    closeSync(log);
    child.stderr?.on('data', (bytes: Buffer) => appendFileSync(log_file, bytes));
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#child = undefined;
        resolve(signal ?? `code ${code}`);
      });
    });
  }

  #error(text: string): Error {
    const lines = readFileSync(this.#options.log_file, 'utf8').trim().split('\n');
    return new Error(`${text}:\n${lines.slice(-5).join('\n')}`);
  }
}

function isReady(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`http://${address}/readyz`, { agent: false, timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
