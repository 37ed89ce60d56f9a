import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { vi } from 'vitest';

const SERVICE = fileURLToPath(new URL('../../../services/ratelimit/src/main.ts', import.meta.url));
const REFERENCE = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));

/** A ratelimit in a process of its own, with its buckets in memory. */
export interface RatelimitProcess {
  readonly address: string;
  /** Ends it. The second call does nothing. */
  stop(): Promise<void>;
}

/** Starts ratelimit with the reference and these rows. */
export async function startRatelimit(
  rows: Readonly<Record<string, object>>,
  env: NodeJS.ProcessEnv = {},
): Promise<RatelimitProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'ratelimit-'));
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify({ ...JSON.parse(await readFile(REFERENCE, 'utf8')), ...rows }));
  const port = await freePort();
  const LISTEN = `127.0.0.1:${port}`;
  const [command, args] = dieWithParent('KILL', process.execPath, [SERVICE]);
  const service = spawn(command, args, {
    env: { PATH: process.env.PATH, LISTEN, RATELIMIT_RULES_FILE: rules, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(service, 'exit');
  await vi.waitUntil(() => service.exitCode !== null || accepts(port), { timeout: 60_000 });
  if (service.exitCode !== null) throw new Error('ratelimit has ended; its output is above');
  return {
    address: LISTEN,
    stop: async () => {
      service.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
