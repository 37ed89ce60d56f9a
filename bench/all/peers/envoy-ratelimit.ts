import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { goProgram } from '@gatehouse/dev-env/programs/go-program';
import { envoyConfiguration } from './envoy-limits.ts';

const VERSION = 'v1.4.1-0.20260122083618-3fb702589d36';
const READY_WITHIN_MS = 15_000;

/** envoyproxy/ratelimit, built by Go on first use. Undefined without Go. */
export function envoyRatelimitProgram(): Promise<string | undefined> {
  const path = 'github.com/envoyproxy/ratelimit/src/service_cmd';
  return goProgram({ name: 'service_cmd', path, version: VERSION });
}

/** A running envoyproxy/ratelimit. */
export interface EnvoyRatelimit {
  /** host:port of its gRPC. */
  readonly address: string;
  readonly pid: number | undefined;
  close(): void;
}

/**
 * Starts it with its defaults, the limits of the bench, and this Redis.
 *
 * @param wrapper a program and its arguments, which runs it
 */
export async function startEnvoyRatelimit(
  program: string,
  folder: string,
  redis_url: string,
  wrapper: readonly string[] = [],
): Promise<EnvoyRatelimit> {
  await mkdir(join(folder, 'ratelimit', 'config'), { recursive: true });
  await writeFile(join(folder, 'ratelimit', 'config', 'limits.yaml'), envoyConfiguration());
  const [grpc, http, debug] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(http),
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(grpc),
    DEBUG_HOST: '127.0.0.1',
    DEBUG_PORT: String(debug),
    RUNTIME_ROOT: folder,
    RUNTIME_SUBDIRECTORY: 'ratelimit',
    RUNTIME_WATCH_ROOT: 'false',
    REDIS_SOCKET_TYPE: 'tcp',
    REDIS_URL: new URL(redis_url).host,
    USE_STATSD: 'false',
  };
  const [first = program, ...rest] = [...wrapper, program];
  const child = spawn(...dieWithParent('KILL', first, rest), { env, stdio: 'ignore' });
  await untilHealthy(child, `http://127.0.0.1:${http}/healthcheck`);
  const close = () => void child.kill('SIGKILL');
  return { address: `127.0.0.1:${grpc}`, pid: child.pid, close };
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  const until_ms = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until_ms) {
    if (child.exitCode !== null) throw new Error(`envoyproxy/ratelimit ended with ${child.exitCode}`);
    const isHealthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await sleep(50);
  }
  throw new Error('envoyproxy/ratelimit did not start');
}
