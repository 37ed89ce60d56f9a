import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dockerAnswers } from '@gatehouse/dev-env/docker';
import { redisProgram } from '@gatehouse/dev-env/redis-server';

/** Sees to it that tests find a Redis or Valkey; gives the reason where there is no way to one. */
export async function provideRedis(): Promise<string | undefined> {
  const found = process.env.GATEHOUSE_TEST_REDIS_URL || redisProgram() || (await dockerAnswers());
  if (found) return undefined;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stderr.write('no redis-server on PATH: installing it with apt-get\n');
    installWithApt();
  }
  if (redisProgram() !== undefined) return undefined;
  return 'Put redis-server or valkey-server on PATH, or set GATEHOUSE_TEST_REDIS_URL.';
}

function installWithApt(): void {
  withoutServices(() => {
    if (apt('install', '-y', '--no-install-recommends', 'redis-server')) return;
    apt('update');
    apt('install', '-y', '--no-install-recommends', 'redis-server');
  });
}

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Debian starts what it installs unless this policy forbids it; the tests start their own servers. */
const POLICY = '/usr/sbin/policy-rc.d';

function withoutServices(action: () => void): void {
  const ours = !existsSync(POLICY);
  if (ours) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    action();
  } finally {
    if (ours) rmSync(POLICY);
  }
}
