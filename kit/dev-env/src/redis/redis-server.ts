import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../free-port.ts';
import { dieWithParent } from '../processes/die-with-parent.ts';

/** The first Redis-compatible server on PATH. */
export function redisProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

let isReported = false;

/** For describe.skipIf, in tests that stop, kill or connect their own servers. Prints a message once per file. */
export function noRedisProgram(): boolean {
  const missing = redisProgram() === undefined;
  if (missing && !isReported)
    process.stderr.write('SKIPPED: these tests need redis-server or valkey-server on PATH\n');
  isReported ||= missing;
  return missing;
}

export interface RedisServerOptions {
  /** Further lines of configuration, besides those for loopback and no persistence. */
  readonly config?: readonly string[];
  /** Runs it as a node of a Cluster. Its bus gets a free port: the default may be taken by an outgoing connection. */
  readonly cluster?: boolean;
  /** Runs it as a Sentinel. */
  readonly sentinel?: boolean;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server of one test. */
export interface RedisServer {
  readonly port: number;
  /** Of a Cluster's node: the port of its bus. */
  readonly bus_port: number | undefined;
  readonly url: string;
  /** A connection for the test's own commands, which waits while the server is down. */
  readonly client: Redis;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts redis-server or valkey-server from PATH. @throws Error if there is none, or it does not start */
export async function redisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const program = redisProgram();
  if (program === undefined) throw new Error('redis-server or valkey-server is not on PATH');
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-redis-'));
  const port = await freePort();
  const bus_port = options.cluster === true ? await freePort() : undefined;
  const cluster = bus_port === undefined ? [] : ['cluster-enabled yes', `cluster-port ${bus_port}`];
  const file = join(dir, 'redis.conf');
  const config = [`port ${port}`, 'bind 127.0.0.1', `dir ${dir}`, ...cluster, ...(options.config ?? [])];
  const unsaved = options.sentinel === true ? [] : ['save ""', 'appendonly no'];
  await writeFile(file, [...unsaved, ...config, ''].join('\n'));

  let child: ChildProcess;
  let ended = Promise.resolve();
  function launch(): void {
    const args = options.sentinel === true ? [file, '--sentinel'] : [file];
    const env = { ...process.env, ...options.env };
    child = spawn(...dieWithParent('KILL', program ?? '', args), { stdio: 'ignore', env });
    ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  const client = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    // A Sentinel has no data to load.
    enableReadyCheck: options.sentinel !== true,
  });
  client.on('error', () => undefined);

  async function start(): Promise<void> {
    launch();
    let answered = false;
    const answer = client.ping().then(() => {
      answered = true;
    });
    while (!answered) {
      if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`);
      await Promise.race([answer, sleep(10)]);
    }
  }

  async function close(): Promise<void> {
    client.disconnect();
    await kill();
    await rm(dir, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port,
    bus_port,
    url: `redis://127.0.0.1:${port}`,
    client,
    signal: (signal) => void child.kill(signal),
    kill,
    start,
    close,
  };
}
