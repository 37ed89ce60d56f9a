import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DomainDefinition } from './definitions.ts';
import type { Problem } from './problem.ts';
import { type Names, readDomain } from './read-domain.ts';
import { YamlFile } from './yaml-file.ts';

export const MAX_FILE_BYTES = 1_048_576;

/** Reads a file of descriptors. Undefined with at least one problem. */
export function readFile(path: string, names: Names, problems: Problem[]): DomainDefinition | undefined {
  const text = contentOf(path);
  if (typeof text !== 'string') {
    problems.push({ file: path, line: 1, column: 1, message: text.problem });
    return undefined;
  }
  return readText(path, text, names, problems);
}

function readText(
  path: string,
  text: string,
  names: Names,
  problems: Problem[],
): DomainDefinition | undefined {
  const control = text.search(CONTROL);
  if (control >= 0) {
    const lines = text.slice(0, control).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    problems.push({
      file: path,
      line: lines.length,
      column,
      message: 'a control character: the file is no YAML text',
    });
    return undefined;
  }
  return readDomain(new YamlFile(path, text, problems), names);
}

/** Those that YAML excludes. */
const CONTROL = /(?![\t\n\r\u0085])\p{Cc}/u;

/** Reads at most the bytes that a file may have. */
function contentOf(path: string): string | { readonly problem: string } {
  try {
    const stat = statSync(path); // to open a pipe would wait for its writer
    if (!stat.isFile()) return { problem: 'it is not a file' };
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    const length = readInto(path, bytes);
    if (length > MAX_FILE_BYTES) {
      const size = Math.max(stat.size, length);
      return {
        problem: `a file has at most ${MAX_FILE_BYTES} bytes, and this one ${size}: remove what it repeats`,
      };
    }
    const content = bytes.subarray(0, length);
    return isUtf8(content) ? content.toString('utf8') : { problem: 'the file is not UTF-8 text' };
  } catch (error) {
    return { problem: `the file cannot be read: ${(error as Error).message}` };
  }
}

function readInto(path: string, bytes: Buffer): number {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (;;) {
      const read = readSync(file, bytes, { offset: length });
      length += read;
      if (read === 0 || length === bytes.length) return length;
    }
  } finally {
    closeSync(file);
  }
}
