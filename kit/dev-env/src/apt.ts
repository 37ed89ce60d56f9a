import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A program that tests run as others wrote it: the one on PATH, else apt's, if root runs the tests. Undefined where
 * there is no way to one; it says why.
 */
export function aptProgram(program: string, aptPackage: string): string | undefined {
  if (isOnPath(program)) return program;
  installWithApt(aptPackage, `no ${program} on PATH`);
  if (isOnPath(program)) return program;
  process.stderr.write(
    `SKIPPED: the tests of ${program}. Put it on PATH (Debian's package: ${aptPackage}).\n`,
  );
  return undefined;
}

/** Does nothing where there is no apt, or not the right to use it. */
export function installWithApt(aptPackage: string, why: string): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  process.stderr.write(`${why}: installing ${aptPackage} with apt-get\n`);
  withoutServices(() => {
    if (apt('install', '-y', '--no-install-recommends', aptPackage)) return;
    apt('update');
    apt('install', '-y', '--no-install-recommends', aptPackage);
  });
}

function isOnPath(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
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
