import { writeSync } from 'node:fs';

const EVERY_MS = 10_000;

/** Says what is being done, and every ten seconds that it still is, with what `progress` says. */
export async function saying(what, action, progress = () => '') {
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

/** Tells what takes a while, on standard error; drops it where nobody reads that any more. */
export function say(line) {
  try {
    writeSync(2, `toolchain: ${line}\n`);
  } catch {}
}
