import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { vi } from 'vitest';

const SERVICE = fileURLToPath(new URL('../../../services/ratelimit/src/main.ts', import.meta.url));

export interface RatelimitProcess {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts ratelimit as a process, with buckets in memory. */
export async function startRatelimit(env: NodeJS.ProcessEnv = {}): Promise<RatelimitProcess> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const own = { PATH: process.env.PATH ?? '', LISTEN: address };
  const service = spawn(process.execPath, [SERVICE], { env: { ...own, ...env }, stdio: 'ignore' });
  const stop = async () => {
    const ended = once(service, 'exit');
    if (service.kill()) await ended;
  };
  await vi.waitUntil(() => isListening(port), { timeout: 30_000 });
  return { address, stop };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connectTcp(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
