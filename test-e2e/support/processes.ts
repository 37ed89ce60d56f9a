import { readdirSync, readFileSync } from 'node:fs';

/** PIDs of all descendants of `pid`. Empty on systems without /proc. */
export function descendants(pid: number): number[] {
  const children = readdirProc().filter((each) => parentOf(each) === pid);
  return [...children, ...children.flatMap(descendants)];
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return stateOf(pid) !== 'Z';
  } catch {
    return false;
  }
}

function readdirProc(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  const fields = statusOf(pid);
  return fields === undefined ? undefined : Number(fields[1]);
}

function stateOf(pid: number): string | undefined {
  return statusOf(pid)?.[0];
}

/** The fields after the name in parentheses: state, parent, and others. */
function statusOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}
