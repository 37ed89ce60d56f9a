import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainDefinition } from './definitions.ts';
import type { Problem } from './problem.ts';
import type { Names } from './read-domain.ts';
import { readFile } from './read-file.ts';

const MAX_FILES = 1_000;
/** Of one file. Broken YAML may have one for each character. */
const MAX_PROBLEMS = 1_000;

/** What the files of descriptors define. It is in force only without problems. */
export interface Configuration {
  readonly files: readonly string[];
  readonly domains: readonly DomainDefinition[];
  readonly problems: readonly Problem[];
}

/** Reads files of descriptors, and those of folders: their *.yaml and *.yml. Finds every problem of them. */
export function readConfiguration(paths: readonly string[]): Configuration {
  const problems: Problem[] = [];
  const names: Names = { domains: new Map(), paths: new Map() };
  const files = paths.flatMap((path) => filesAt(path, problems));
  const domains: DomainDefinition[] = [];
  for (const file of files) {
    const own: Problem[] = [];
    const domain = readFile(file, names, own);
    if (domain !== undefined) domains.push(domain);
    own.sort((a, b) => a.line - b.line || a.column - b.column);
    problems.push(...own.slice(0, MAX_PROBLEMS));
    const more = own[MAX_PROBLEMS];
    if (more !== undefined) problems.push({ ...more, message: `${own.length - MAX_PROBLEMS} more problems` });
  }
  return { files, domains, problems };
}

/** The files at a path, in the order of their names. */
export function filesAt(path: string, problems: Problem[] = []): readonly string[] {
  const fail = (message: string): readonly string[] => {
    problems.push({ file: path, line: 1, column: 1, message });
    return [];
  };
  try {
    if (!statSync(path).isDirectory()) return [path];
    const files = readdirSync(path).filter((name) => /^[^.].*\.ya?ml$/.test(name));
    if (files.length === 0) return fail('the folder has no file *.yaml or *.yml');
    if (files.length > MAX_FILES) return fail(`a folder has at most ${MAX_FILES} files`);
    return files.sort().map((name) => join(path, name));
  } catch (error) {
    return fail(`the path cannot be read: ${(error as Error).message}`);
  }
}
