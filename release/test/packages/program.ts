import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { vi } from 'vitest';

const RATELIMIT = fileURLToPath(new URL('../../../services/ratelimit/src/main.ts', import.meta.url));

/** A server in a process of its own. */
export interface RunningProgram {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts ratelimit with the rules of a file, and buckets in memory. */
export async function startRatelimit(rules_file: string): Promise<RunningProgram> {
  const port = await freePort();
  return startProgram(port, RATELIMIT, { LISTEN: `127.0.0.1:${port}`, RATELIMIT_RULES_FILE: rules_file });
}

/** Starts a program of Node that listens on this port. */
export async function startProgram(
  port: number,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<RunningProgram> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [file], {
    env: { PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await vi.waitUntil(() => isListening(port), { timeout: 30_000 });
  return { address: `127.0.0.1:${port}`, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (child.kill()) await ended;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
