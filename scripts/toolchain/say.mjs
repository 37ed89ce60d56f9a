import { writeSync } from 'node:fs';

const EVERY_MS = 10_000;

/** Prints a line at the start of a task, and every ten seconds while it runs, with `progress()`. */
export async function withProgress(what, action, progress = () => '') {
  say(what);
  const startedAt = performance.now();
  const timer = setInterval(() => {
    say(`${what}: ${Math.round((performance.now() - startedAt) / 1_000)} s${progress()}`);
  }, EVERY_MS);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}

/** Prints to standard error, and ignores a closed one. */
export function say(line) {
  try {
    writeSync(2, `toolchain: ${line}\n`);
  } catch {}
}
