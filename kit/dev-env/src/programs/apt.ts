import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/**
 * Finds a third-party program for tests: on PATH, else installed by apt if root runs the tests. Undefined, with a
 * message, if neither is possible.
 */
export async function aptProgram(program: string, ...aptPackages: string[]): Promise<string | undefined> {
  if (isOnPath(program)) return program;
  await installWithApt(aptPackages, `no ${program} on PATH`);
  if (isOnPath(program)) return program;
  process.stderr.write(
    `SKIPPED: the tests of ${program}. Put it on PATH (Debian's package: ${aptPackages[0]}).\n`,
  );
  return undefined;
}

/** Installs packages; does nothing without apt or root. Concurrent test files wait for each other. */
export async function installWithApt(aptPackages: readonly string[], why: string): Promise<void> {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  process.stderr.write(`${why}: installing ${aptPackages.join(' ')} with apt-get\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = [LOCK, 'sh', '-c', INSTALL, 'install', ...aptPackages];
  await once(spawn('flock', args, { env, stdio: ['ignore', 2, 2] }), 'close');
}

/** Whether the program runs by its name. */
export function isOnPath(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** A folder that exists on every system with apt, and that apt itself does not lock. */
const LOCK = '/var/cache/apt';

/**
 * Installs the packages in its arguments. Debian would start installed services, so a policy forbids it meanwhile.
 */
const INSTALL = `
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    trap 'exit 1' INT TERM
    printf '#!/bin/sh\\nexit 101\\n' >$policy
    chmod 755 $policy
  fi
  get() { apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }
  get install -y --no-install-recommends "$@" && exit
  get update
  get install -y --no-install-recommends "$@"
`;
