import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/**
 * Returns a command line under which the kernel sends `signal` to `command` when its parent dies, so that not even
 * SIGKILL of the parent leaves it behind. Without util-linux's setpriv it is the command itself; the next start must
 * then cope with leftovers.
 */
export function dieWithParent(
  signal: 'TERM' | 'INT' | 'KILL',
  command: string,
  args: readonly string[],
): [command: string, args: string[]] {
  supported ??= spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  return supported ? ['setpriv', ['--pdeathsig', signal, command, ...args]] : [command, [...args]];
}
