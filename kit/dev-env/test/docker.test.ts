import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { dockerAnswers } from '../src/programs/docker.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  [200, true],
  [500, false],
])('Docker is available if its socket answers (%i)', async (status, expected) => {
  const dir = await mkdtemp(join(tmpdir(), 'docker-'));
  const socket = join(dir, 'docker.sock');
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/_ping' ? status : 404).end(),
  );
  await once(server.listen(socket), 'listening');
  vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
  expect(await dockerAnswers()).toBe(expected);
  server.close();
  await rm(dir, { recursive: true });
});

test.each(['unix:///nowhere/docker.sock', 'ssh://somewhere', 'tcp://127.0.0.1:1', 'nonsense'])(
  'Docker is not available behind %s',
  async (host) => {
    vi.stubEnv('DOCKER_HOST', host);
    expect(await dockerAnswers()).toBe(false);
  },
);
