import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

export interface Compilation {
  /** The folder of the sources, and of everything that they import by a path. */
  readonly sources: string;
  /** Globs below it. */
  readonly include: readonly string[];
  readonly output: string;
  /** The packages that the sources import, with their folders. */
  readonly packages: Readonly<Record<string, string>>;
  /** `any`: the sources run in browsers too, so that nothing of Node is there. */
  readonly runtime?: 'node' | 'any';
}

/** Compiles TypeScript to JavaScript and declarations, in a project that sees only these packages. @throws Error */
export function compile({ sources, include, output, packages, runtime = 'node' }: Compilation): void {
  const project = `${output}.build`;
  try {
    mkdirSync(project, { recursive: true });
    symlinkSync(sources, join(project, 'sources'));
    for (const [name, folder] of Object.entries(packages)) {
      const link = join(project, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(folder, link);
    }
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config(include, output, runtime)));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(MODULES, 'typescript/bin/tsc'), '--project', project, '--pretty', 'false'],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`tsc failed:\n${`${stdout}${stderr}`.slice(0, 4000)}`);
    withBuiltPaths(output);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Declarations keep the extension .ts in imports, which compilers before TypeScript 5 do not resolve. */
function withBuiltPaths(output: string): void {
  for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(output, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import\() ?["']\.[^"']*)\.ts(?=["'])/g, '$1.js'));
  }
}

/** The folder of an installed package. */
export function installed(name: string): string {
  return join(MODULES, name);
}

function config(include: readonly string[], outDir: string, runtime: 'node' | 'any') {
  return {
    compilerOptions: {
      target: 'es2023',
      lib: [
        'es2023',
        'esnext.disposable',
        ...(runtime === 'any' ? ['es2024.promise', 'dom', 'dom.iterable'] : []),
      ],
      module: 'nodenext',
      types: runtime === 'any' ? [] : ['node'],
      rootDir: 'sources',
      outDir,
      declaration: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      // Packages are found beside the project, not beside the sources.
      preserveSymlinks: true,
    },
    include: include.map((glob) => `sources/${glob}`),
  };
}
