import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_LINES = 3;

/**
 * Marks the ends of all logs of a suite. What it gives says which lines came since then that a process writes
 * only when something failed that nobody had thought of.
 */
export function markLogs(data_dir: string): () => string[] {
  const folder = join(data_dir, 'logs');
  const files = readdirSync(folder).filter((name) => name.endsWith('.log') && name !== 'postgres.log');
  const marks = new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
  return () =>
    [...marks].flatMap(([name, from]) =>
      failuresIn(join(folder, name), from).map((line) => `${name}: ${line}`),
    );
}

function failuresIn(file: string, from: number): string[] {
  const text = readFileSync(file).toString('latin1', from);
  return text.split('\n').filter(isFailure).slice(0, MOST_LINES);
}

/**
 * No JSON: what Node itself says, warnings and the last words of a crash; but for what a process says when it is
 * started. Or a fatal line; or an answer of 500.
 */
function isFailure(line: string): boolean {
  if (line === '' || line.includes(': listening on ')) return false;
  return !line.startsWith('{') || line.startsWith('{"level":60') || /^\{"level":50.*"status":500/.test(line);
}
