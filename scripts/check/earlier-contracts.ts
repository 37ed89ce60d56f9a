import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Hands over a folder with proto/ as it was before its last change: as committed if the working tree differs
 * from that, else as before the last commit that touched it. Without a history that goes back so far, says so.
 */
export function withEarlierContracts<T>(
  root: string,
  use: (folder: string) => T,
  none: (reason: string) => T,
): T {
  const commit = earlierCommit(root);
  if (commit === undefined) return none('there is no earlier version of proto/ to compare with\n');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-contracts-'));
  try {
    const archive = git(root, ['archive', '--format=tar', commit, 'proto']);
    spawnSync('tar', ['-xf', '-', '-C', folder], { input: archive });
    return use(join(folder, 'proto'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function earlierCommit(root: string): string | undefined {
  const contracts = ['--', 'proto/*.proto'];
  const changed = git(root, ['status', '--porcelain', ...contracts]);
  if (changed === undefined) return undefined; // Not a git clone.
  const last = git(root, ['log', '-1', '--format=%H', ...contracts])
    ?.toString()
    .trim();
  if (last === undefined || last === '') return undefined;
  if (changed.length > 0) return last;
  const before = `${last}^`;
  return git(root, ['cat-file', '-e', `${before}:proto/buf.yaml`]) === undefined ? undefined : before;
}

/** What git says, or nothing when it fails or is not there. */
function git(root: string, args: string[]): Buffer | undefined {
  // The clone may belong to another user than the one who checks it; it is only read.
  const { status, stdout } = spawnSync('git', ['-c', `safe.directory=${root.replace(/\/$/, '')}`, ...args], {
    cwd: root,
    maxBuffer: 64 << 20,
  });
  return status === 0 ? stdout : undefined;
}
