import { readdirSync, readFileSync } from 'node:fs';

/** The processes below `pid`, at any depth; empty where the system has no /proc. */
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

/** State and parent: what follows the name, which stands in brackets. */
function statusOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}
