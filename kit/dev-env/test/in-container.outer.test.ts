import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inContainer } from '../src/programs/in-container.ts';

const NO_DOCKER = 'unix:///nowhere/docker.sock';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('TEST_BACKENDS', () => {
  it('is containers: fails without a Docker engine', async () => {
    vi.stubEnv('DOCKER_HOST', NO_DOCKER);
    vi.stubEnv('TEST_BACKENDS', 'containers');
    await expect(inContainer('Redis', async () => 'started')).rejects.toThrow(/none answers/);
  });

  it('is containers: fails if the container does not start', async () => {
    await withEngine(async () => {
      vi.stubEnv('TEST_BACKENDS', 'containers');
      await expect(inContainer('Redis', fails)).rejects.toThrow(
        "Redis's container did not start: Error: no such image",
      );
    });
  });

  it('is unset: uses a container if a Docker engine answers', async () => {
    vi.stubEnv('TEST_BACKENDS', '');
    await withEngine(async () => {
      expect(await inContainer('Redis', async () => 'started')).toBe('started');
      expect(await inContainer('Redis', fails)).toBeUndefined();
    });
    vi.stubEnv('DOCKER_HOST', NO_DOCKER);
    expect(await inContainer('Redis', async () => 'started')).toBeUndefined();
  });

  it('is embedded: never uses a container', async () => {
    await withEngine(async () => {
      vi.stubEnv('TEST_BACKENDS', 'embedded');
      expect(await inContainer('Redis', async () => 'started')).toBeUndefined();
    });
  });

  it('is anything else: fails', async () => {
    vi.stubEnv('TEST_BACKENDS', 'container');
    await expect(inContainer('Redis', async () => 'started')).rejects.toThrow('containers or embedded');
  });
});

async function fails(): Promise<string> {
  throw new Error('no such image');
}

/** Runs with a fake Docker engine. */
async function withEngine(action: () => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'docker-'));
  const socket = join(dir, 'docker.sock');
  const server = createServer((_, response) => response.end('OK'));
  await once(server.listen(socket), 'listening');
  vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
  try {
    await action();
  } finally {
    server.close();
    await rm(dir, { recursive: true });
  }
}
