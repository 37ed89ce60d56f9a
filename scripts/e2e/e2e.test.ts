import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript } from '@gatehouse/dev-env/run-script';
import { expect, onTestFinished, test } from 'vitest';

const E2E = fileURLToPath(new URL('../e2e.ts', import.meta.url));

test('a word that is in no story’s path is a usage error, and runs nothing', async () => {
  const { code, stdout, stderr } = await runScript(E2E, ['no-such-story']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^e2e: no story's path holds no-such-story; there are:\n {2}test-e2e\//);
  expect(stdout).toBe('');
});

test('an unknown option is a usage error', async () => {
  const { code, stderr } = await runScript(E2E, ['--composed']);
  expect(code).toBe(2);
  expect(stderr).toContain("Unknown option '--composed'");
});

/** A `docker` that logs its arguments and takes long to start containers. */
function slowDocker(folder: string): { path: string; asked: () => readonly string[] } {
  const [path, notes] = [join(folder, 'bin'), join(folder, 'asked')];
  mkdirSync(path);
  const script = join(path, 'docker');
  writeFileSync(script, `#!/bin/sh\necho "$*" >> '${notes}'\ncase "$*" in *' up '*) exec sleep 60 ;; esac\n`);
  chmodSync(script, 0o755);
  return { path, asked: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []) };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'interrupted by %s during the start, it removes the containers',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'e2e-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    const docker = slowDocker(folder);
    const engine = createServer((_, response) => response.end('OK')).listen(0, '127.0.0.1');
    onTestFinished(() => void engine.close());
    await once(engine, 'listening');
    const { port } = engine.address() as AddressInfo;

    const child = spawn(process.execPath, [E2E, '--compose', '--no-build'], {
      env: {
        PATH: `${docker.path}:/usr/bin:/bin`,
        TMPDIR: temporary,
        DOCKER_HOST: `tcp://127.0.0.1:${port}`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stderr.resume();
    const ended = once(child, 'close');
    await expect.poll(() => docker.asked().at(-1)).toContain(' up -d ');
    child.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(docker.asked().at(-1)).toMatch(/ down -v --remove-orphans$/);
    expect(readdirSync(temporary)).toEqual([]);
  },
);
