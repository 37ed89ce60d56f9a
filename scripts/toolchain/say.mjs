/** Tells what takes a while, on standard error. */
export function say(line) {
  process.stderr.write(`toolchain: ${line}\n`);
}
