import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Files that no process loads: TypeScript, which Node does not run there, source maps and documentation. Licences stay.
 */
const UNUSED = /\.(?:[cm]?ts|map|md|markdown)$/i;
/** Folders at the top of a package that none of its modules import. */
const UNUSED_FOLDERS = new Set(['test', 'tests', 'benchmark', 'benchmarks', 'examples']);
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;

/** Copies an installed package, without files that no process loads. `own` are the workspaces of the image. */
export function copyPackage(root: string, folder: string, target: string, own: readonly string[]): void {
  const from = join(root, folder);
  const isUsed = folder.endsWith('/@prisma/client') ? usedOfPrisma(root, own) : () => true;
  mkdirSync(join(target, folder), { recursive: true });
  cpSync(from, join(target, folder), {
    recursive: true,
    filter: (path) => {
      const name = basename(path);
      if (path === from) return true;
      if (statSync(path).isDirectory())
        return name !== 'node_modules' && !(dirname(path) === from && UNUSED_FOLDERS.has(name));
      return isUsed(name) && (LICENCE.test(name) || !UNUSED.test(name));
    },
  });
}

const COMPILER = /^(?:query_compiler_|wasm-compiler-)/;

/**
 * Prisma's client contains a query compiler for each database, 70 MB in total; the generated code names the one that it
 * loads.
 */
function usedOfPrisma(root: string, own: readonly string[]): (name: string) => boolean {
  const named = new Set(own.flatMap((folder) => compilersNamedIn(join(root, folder, 'src/generated'))));
  return (name) => !COMPILER.test(name) || named.has(name);
}

function compilersNamedIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap(
    (file) => readFileSync(join(folder, file), 'utf8').match(/query_compiler_[\w.-]+/g) ?? [],
  );
}
