import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { untilReady } from '@gatehouse/stack/until-ready';
import { builderSettings } from './builder-settings.ts';
import { composeCommand, show } from './engine.ts';
import { writeOverrides } from './overrides.ts';

export interface ComposedOptions {
  readonly say: (line: string) => void;
  readonly build: boolean;
  /** Replicas of each service. */
  readonly replicas: number;
  /** Whether each replica is a process of all services. */
  readonly small: boolean;
  /** Cancels the start and removes its containers. */
  readonly interrupted: AbortSignal;
}

/** A running composed stack. */
export interface Composed {
  readonly url: string;
  /** The variables with which test-e2e/support/stack.ts finds it. */
  readonly env: NodeJS.ProcessEnv;
  /** The command that removes it by hand. */
  readonly removal: string;
  saveLogs(folder: string): Promise<void>;
  remove(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 120_000;
/** The services whose replicas no variable sets. */
const SCALED = SERVICE_NAMES.filter((name) => serviceNamed(name).database !== undefined);

/** Builds and starts the composed stack under a unique name. A failed start leaves nothing behind. */
export async function startComposed({
  say,
  build,
  replicas,
  small,
  interrupted,
}: ComposedOptions): Promise<Composed> {
  const compose = await composeCommand();
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...(await settings(port, replicas)),
    ...(build ? await builderSettings() : {}),
  };
  interrupted.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  chmodSync(folder, 0o711);
  const data_dir = join(folder, 'data');
  mkdirSync(data_dir);
  chmodSync(data_dir, 0o777); // The container with auth writes there, as its own user.
  const project = `gatehouse-e2e-${process.pid}`;
  const files = small
    ? ['compose.small.yaml', writeOverrides(folder, data_dir, 'runner')]
    : ['compose.yaml', writeOverrides(folder, data_dir, 'auth')];
  const base = [
    ...compose,
    '-p',
    project,
    '--project-directory',
    ROOT,
    ...files.flatMap((file) => ['-f', resolve(ROOT, file)]),
  ];
  const remove = async () => {
    say('removing the composed stack');
    try {
      await show([...base, 'down', '-v', '--remove-orphans'], env);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    if (build) {
      say('building the images; the first time takes some minutes');
      await show([...base, 'build'], env, interrupted);
    }
    say(`starting the composed stack as ${project}, with ${replicas} of each of our services`);
    const scales = (small ? [] : SCALED).flatMap((name) => ['--scale', `${name}=${replicas}`]);
    await show([...base, 'up', '-d', ...scales], env, interrupted);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url, READY_WITHIN_MS, interrupted);
    return {
      url,
      env: { GATEHOUSE_STACK_URL: url, GATEHOUSE_STACK_DATA_DIR: data_dir },
      removal: [...base, 'down', '-v'].join(' '),
      saveLogs: (to) => saveLogs(base, env, to),
      remove,
    };
  } catch (error) {
    try {
      await saveLogs(base, env, join(ROOT, 'artifacts/e2e'));
    } finally {
      await remove();
    }
    throw error;
  }
}

/** Equals PROXIED in test-e2e/support/stack.ts, in a network that no other composed stack uses. */
async function settings(port: number, replicas: number): Promise<NodeJS.ProcessEnv> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    TLS_PORT: String(await freePort()),
    BASE_URL: `http://127.0.0.1:${port}`,
    // Docker itself assigns networks from 172.17 on.
    FRONT_SUBNET: `172.16.${process.pid % 213}.0/24`,
    GATEWAY_REPLICAS: String(replicas),
    RATELIMIT_REPLICAS: String(replicas),
    REALTIME_REPLICAS: String(replicas),
    RUNNER_REPLICAS: String(replicas),
    LOGIN_LOCATION_CHECK: 'off',
    // Stories expect exact limits on a busy machine too, so ratelimit must not decide without Redis.
    REDIS_TIMEOUT_MS: '3000',
    RATELIMIT_TIMEOUT_MS: '6000',
    // docker-compose gives up on a busy engine.
    COMPOSE_HTTP_TIMEOUT: '300',
    COMPOSE_PARALLEL_LIMIT: '8',
  };
}

async function saveLogs(base: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'containers.log'), 'w');
  const [program = '', ...args] = [...base, 'logs', '--no-color', '--timestamps'];
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', file, file] });
  await once(child, 'close');
}
