import { writeSync } from 'node:fs';

/** Tells what takes a while, on standard error; drops it where nobody reads that any more. */
export function say(line) {
  try {
    writeSync(2, `toolchain: ${line}\n`);
  } catch {}
}
