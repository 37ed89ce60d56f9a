import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@gatehouse/dev-env/until';

export interface Ended {
  code: number | null;
  /** Time since the start, in milliseconds. */
  after_ms: number;
}

export interface Command {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs a script of this repository in a process with exactly these settings. */
export function runScript(path: string, args: string[], env: Record<string, string>): Command {
  const script = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot run ${path}`);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, after_ms: performance.now() - startedAt }));
    }),
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs the script behind `npm start`. Resolves with its URL once it prints that it is ready. */
export async function startCommand(
  env: Record<string, string>,
  args: string[] = [],
): Promise<Command & { url: string }> {
  const command = runScript('scripts/start.ts', args, { PORT: '0', ...env });
  let ended = false;
  void command.ended.then(() => {
    ended = true;
  });
  const url = await until('the ready line', 60_000, () => {
    if (ended) throw new Error(`the start failed: ${command.stderr()}`);
    return /^ready (http\S+)\/api\/v1\n/m.exec(command.stdout())?.[1];
  });
  return { ...command, url };
}

/** The variables that a child process inherits: those it needs to run and to start fast. */
export function inheritedEnv(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}
