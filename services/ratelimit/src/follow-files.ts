import { statSync } from 'node:fs';

const LOOK_EVERY_MS = 2_000;

/**
 * Calls `reload` on SIGHUP, and when one of the files changes: it looks every two seconds. Returns the function that stops it.
 *
 * @param list the files; those of a folder may change
 */
export function followFiles(list: () => readonly string[], reload: () => void): () => void {
  let known = stateOf(list());
  const timer = setInterval(() => {
    const state = stateOf(list());
    if (state === known) return;
    known = state;
    reload();
  }, LOOK_EVERY_MS);
  timer.unref();
  process.on('SIGHUP', reload);
  return () => {
    clearInterval(timer);
    process.off('SIGHUP', reload);
  };
}

/** Symbolic links are followed: a mounted ConfigMap replaces one. */
function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return `${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`;
    })
    .join('\n');
}
