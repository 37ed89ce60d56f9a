import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_LINES = 3;

/**
 * Marks the ends of all logs of a stack. The returned function gives the later lines that a process writes only for
 * an unexpected failure, or those that match another predicate.
 */
export function markLogs(data_dir: string, isOfInterest = isFailure): () => string[] {
  const folder = join(data_dir, 'logs');
  const files = readdirSync(folder).filter((name) => name.endsWith('.log') && name !== 'postgres.log');
  const marks = new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
  return () =>
    [...marks].flatMap(([name, from]) =>
      linesIn(join(folder, name), from, isOfInterest).map((line) => `${name}: ${line}`),
    );
}

function linesIn(file: string, from: number, isOfInterest: (line: string) => boolean): string[] {
  const text = readFileSync(file).toString('latin1', from);
  return text.split('\n').filter(isOfInterest).slice(0, MOST_LINES);
}

/**
 * A line that is not JSON (Node's own warnings and crash output, except the line at start-up), a fatal line, or a
 * response of 500.
 */
function isFailure(line: string): boolean {
  if (line === '' || line.includes(': listening on ')) return false;
  return !line.startsWith('{') || line.startsWith('{"level":60') || /^\{"level":50.*"status":500/.test(line);
}
