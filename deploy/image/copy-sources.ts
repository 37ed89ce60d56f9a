import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Files of tests, generators, and documentation. package.json is written separately. */
const LEFT_OUT =
  /^(?:test|node_modules|\.turbo|released|README\.md|package\.json|schema\.prisma|prisma\.config\.ts|turbo\.json|buf\..*yaml|generate-.*\.ts|.*\.test\.ts)$/;

/**
 * Copies the runtime files of a folder, and those that they import from other folders. Nested workspaces are copied
 * separately.
 */
export function copySources(root: string, folder: string, target: string): void {
  const from = join(root, folder);
  cpSync(from, join(target, folder), {
    recursive: true,
    filter: (path) => {
      if (path === from) return true;
      if (LEFT_OUT.test(basename(path))) return false;
      if (statSync(path).isDirectory()) return !existsSync(join(path, 'package.json'));
      for (const file of importedOutside(path, from)) copyModule(root, file, target);
      return true;
    },
  });
}

const IMPORTS = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

function importsOf(file: string): string[] {
  if (!file.endsWith('.ts')) return [];
  const matches = readFileSync(file, 'utf8').matchAll(IMPORTS);
  return [...matches].map(([, from, dynamic]) => join(dirname(file), from ?? dynamic ?? ''));
}

function importedOutside(file: string, folder: string): string[] {
  return importsOf(file).filter((imported) => relative(folder, imported).startsWith('..'));
}

/** A module and what it imports. */
function copyModule(root: string, file: string, target: string): void {
  const copy = join(target, relative(root, file));
  if (existsSync(copy)) return;
  cpSync(file, copy);
  for (const imported of importsOf(file)) copyModule(root, imported, target);
}
