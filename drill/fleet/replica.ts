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
  /** What runs, from the clone's root. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  /** host:port of /readyz. */
  readonly metrics: string;
  readonly log_file: string;
}

/** One process of several alike, that is started and ended as a container would be. */
export interface Replica {
  readonly name: string;
  /** Comes back once it is ready. */
  start(): Promise<void>;
  /** SIGTERM; comes back once it has ended. @throws Error where it did not end with 0 */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256'];
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

export function replica({ name, entry, env, metrics, log_file }: ReplicaOptions): Replica {
  let child: ChildProcess | undefined;
  let ended: Promise<string> = Promise.resolve('');

  function launch(): void {
    const log = openSync(log_file, 'a', 0o640);
    const [command, args] = dieWithParent('KILL', process.execPath, [...FLAGS, entry]);
    const started = spawn(command, args, {
      cwd: ROOT,
      env: { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ['ignore', log, 'pipe'],
    });
    closeSync(log);
    started.stderr?.on('data', (bytes: Buffer) => appendFileSync(log_file, bytes));
    child = started;
    ended = new Promise((resolve) => {
      started.once('close', (code, signal) => {
        child = undefined;
        resolve(signal ?? `code ${code}`);
      });
    });
  }

  return {
    name,
    start: async () => {
      launch();
      const until = performance.now() + READY_WITHIN_MS;
      while (!(await isReady(metrics))) {
        if (child === undefined) throw new Error(`${name} ended (${await ended}):\n${lastLines(log_file)}`);
        if (performance.now() > until) throw new Error(`${name} is not ready:\n${lastLines(log_file)}`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    stop: async () => {
      if (child === undefined) return;
      child.kill('SIGTERM');
      const how = await ended;
      if (how !== 'code 0') throw new Error(`${name} ended with ${how}:\n${lastLines(log_file)}`);
    },
    kill: async () => {
      child?.kill('SIGKILL');
      await ended;
    },
  };
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
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
