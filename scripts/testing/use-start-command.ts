import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { afterAll, afterEach, beforeAll } from 'vitest';

const START = fileURLToPath(new URL('../start.ts', import.meta.url));

export interface StartCommand {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly output: { readonly out: string; readonly err: string };
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

/**
 * Runs the program of `npm start` in this file's tests, in a temporary folder. Kills a program that still runs
 * after a test.
 */
export function useStartCommand() {
  let folder: DataFolder | undefined;
  const started: StartCommand[] = [];
  beforeAll(async () => {
    folder = await testDataFolder('start');
  });
  afterEach(async () => {
    for (const { child, ended } of started.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  });
  afterAll(() => folder?.remove());

  const path = (...names: string[]) => join(folder?.path ?? '', ...names);
  return {
    /** A path in the tests' folder. DATA_DIR is `data` there. */
    path,
    start(env: NodeJS.ProcessEnv, args: readonly string[] = [], cwd?: string): StartCommand {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', START, ...args], {
        env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: path('data'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd,
      });
      const output = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output.out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output.err += text;
      });
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
      const command = { child, output, ended };
      started.push(command);
      return command;
    },
  };
}
