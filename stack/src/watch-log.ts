import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const READ_INTERVAL_MS = 1_000;
const MAX_LINES = 3;
const MAX_BYTES = 4 << 20;
/** pino puts the level first: warn, error, fatal. */
const SERIOUS = ['{"level":40', '{"level":50', '{"level":60'];

/** Passes a summary of each line at warn or above to `say`, with the line's local time. The file has the whole line. */
export function watchLog(name: string, file: string, say: (line: string) => void): () => void {
  let position = sizeOf(file);
  const timer = setInterval(() => {
    const size = sizeOf(file);
    if (size <= position) {
      position = size;
      return;
    }
    const bytes = readPart(file, Math.max(position, size - MAX_BYTES), size);
    const whole = bytes.lastIndexOf('\n') + 1;
    position = size - (bytes.length - whole);
    report(name, file, seriousLines(bytes.subarray(0, whole)), say);
  }, READ_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function report(name: string, file: string, lines: string[], say: (line: string) => void): void {
  for (const line of lines.slice(0, MAX_LINES)) say(summary(name, line));
  if (lines.length > MAX_LINES) say(`${name}: … and ${lines.length - MAX_LINES} more in ${file}`);
}

/** A busy edge writes megabytes a second, so lines are searched as bytes, and only a few become text. */
function seriousLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (const mark of SERIOUS) {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
      if (at === 0 || bytes[at - 1] === 10) lines.push(bytes.toString('utf8', at, bytes.indexOf('\n', at)));
    }
  }
  return lines;
}

function summary(name: string, line: string): string {
  try {
    const {
      time,
      msg = '',
      err,
    } = JSON.parse(line) as { time?: unknown; msg?: string; err?: { message?: string } };
    const text = err?.message === undefined ? msg : `${msg}: ${err.message.split('\n')[0]}`;
    return `${clockTime(time)}${name}: ${text}`;
  } catch {
    return `${name}: ${line.slice(0, 200)}`;
  }
}

/** Such as "14:05:09 "; empty for a line without a time. */
function clockTime(time: unknown): string {
  const at = new Date(typeof time === 'number' || typeof time === 'string' ? time : Number.NaN);
  return Number.isNaN(at.getTime()) ? '' : `${at.toTimeString().slice(0, 8)} `;
}

function sizeOf(file: string): number {
  return withFile(file, (descriptor) => fstatSync(descriptor).size) ?? 0;
}

function readPart(file: string, from: number, to: number): Buffer {
  return (
    withFile(file, (descriptor) => {
      const bytes = Buffer.alloc(to - from);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
    }) ?? Buffer.alloc(0)
  );
}

/** Undefined if the file cannot be read: not written yet, or gone. */
function withFile<T>(file: string, action: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    return action(descriptor);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
