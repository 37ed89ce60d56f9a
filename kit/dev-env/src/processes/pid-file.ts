import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Holds `path` for this process until the returned function is called. A file of a process that has ended does not
 * count, not even if its number was reused.
 *
 * @throws Error naming the process that holds it
 */
export function holdPidFile(path: string, what: string): () => void {
  const mine = `${process.pid} ${startTime(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    // link() fails if the name exists, and never shows a half-written file.
    while (!attempt(() => linkSync(draft, path), 'EEXIST')) {
      const holder = read(path);
      if (holder !== undefined && isAlive(holder))
        throw new Error(`${what} is in use by process ${pidOf(holder)}`);
      if (holder !== undefined) removeStale(path, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
}

/** Two processes may find the same stale file: only that file may be removed, not the winner's new one. */
function removeStale(path: string, judged: string): void {
  const aside = `${path}.${process.pid}.stale`;
  if (!attempt(() => renameSync(path, aside), 'ENOENT')) return;
  if (read(aside) !== judged) attempt(() => linkSync(aside, path), 'EEXIST');
  rmSync(aside, { force: true });
}

function isAlive(holder: string): boolean {
  const [, started = ''] = holder.trim().split(' ');
  if (!(pidOf(holder) > 0)) return false; // Empty after a crash of the machine: it belongs to nobody.
  try {
    process.kill(pidOf(holder), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return started === startTime(pidOf(holder));
}

function pidOf(holder: string): number {
  return Number.parseInt(holder, 10);
}

/** The start time of a process in ticks since boot (proc(5), stat, field 22). Empty for a zombie, and without /proc. */
function startTime(pid: number): string {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? '' : (fields[18] ?? '');
}

function read(path: string): string | undefined {
  let text: string | undefined;
  attempt(() => {
    text = readFileSync(path, 'utf8');
  }, 'ENOENT');
  return text;
}

/** False if it failed for the expected reason. */
function attempt(action: () => void, expected: string): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (codeOf(error) === expected) return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
