import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { dieWithParent } from '../die-with-parent.ts';
import { freePort } from '../free-port.ts';
import { dockerAnswers } from './docker.ts';

export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A Redis or Valkey for one test file: the one that GATEHOUSE_TEST_REDIS_URL names (shared, so tests keep
 * to keys of their own), else a container if Docker answers, else redis-server or valkey-server from PATH.
 */
export async function testRedis(): Promise<TestRedis> {
  const url = process.env.GATEHOUSE_TEST_REDIS_URL;
  if (url) return { url, close: async () => undefined };
  if (await dockerAnswers()) {
    const server = await containerRedis().catch((error: unknown) => {
      process.stderr.write(`Redis's container did not start (${String(error)}); looking on PATH\n`);
    });
    if (server !== undefined) return server;
  }
  const program = redisProgram();
  if (program === undefined) throw new Error(NO_REDIS);
  return nativeRedis(program);
}

const NO_REDIS =
  'tests of Redis need redis-server or valkey-server on PATH, Docker, or GATEHOUSE_TEST_REDIS_URL; `npm test` says more';

/** For describe.skipIf: `npm test` sets it when it found no way to a Redis, and says so at its end. */
export const redisIsMissing = process.env.GATEHOUSE_TEST_REDIS_MISSING === '1';

/** The first Redis-compatible server on PATH. */
export function redisProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

async function containerRedis(): Promise<TestRedis> {
  const { GenericContainer } = await import('testcontainers');
  const container = await new GenericContainer('redis:8').withExposedPorts(6379).start();
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    close: async () => {
      await container.stop();
    },
  };
}

async function nativeRedis(program: string): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-redis-'));
  const port = await freePort();
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(...dieWithParent('KILL', program, flags), { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  const url = `redis://127.0.0.1:${port}`;
  try {
    await untilAnswers(url, child);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`redis ended with code ${child.exitCode}`);
      const answered = await client.connect().then(
        () => true,
        () => false,
      );
      if (answered) return;
      await sleep(10);
    }
  } finally {
    client.disconnect();
  }
}
