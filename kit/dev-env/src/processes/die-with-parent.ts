import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/**
 * A command line under which the kernel sends `signal` to `command` when its parent dies, so that
 * not even SIGKILL of the parent leaves it behind. Where util-linux's setpriv is missing, the command
 * comes back as it is: whoever starts next must then cope with what was left.
 */
export function dieWithParent(
  signal: 'TERM' | 'INT' | 'KILL',
  command: string,
  args: readonly string[],
): [command: string, args: string[]] {
  supported ??= spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  return supported ? ['setpriv', ['--pdeathsig', signal, command, ...args]] : [command, [...args]];
}
