import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMPORTS = [
  /^(?:import|export|\}).* from '([^']+)';$/gm,
  /^import '([^']+)';$/gm,
  /\bimport\('([^']+)'\)/g,
  /\bimport\.meta\.resolve\('([^']+)'\)/g,
];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*package.json'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
).split('\n');
const manifests = new Map(
  files.filter((file) => file.endsWith('package.json')).map((file) => [dirname(file), readManifest(file)]),
);
const folders = [...manifests.keys()].filter((folder) => folder !== '.');

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

/** Workspaces may be nested: kit/dev-env, kit/test, services/ratelimit/client. */
function workspaceOf(file: string): string | undefined {
  return folders
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);
}

/** Whether a process may load it. The console's pages are built, and browsers load them. */
function isSource(file: string): boolean {
  return !/(?:^|\/)(?:test|generate)\/|^(?:test-e2e|services\/console\/web)\/|\.(?:test|config)\.ts$/.test(
    file,
  );
}

/** The packages that a file imports. */
function packagesIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !/^(?:node:|\.|#)/.test(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

function undeclared(folder: string, inSource: boolean): string[] {
  const { name, dependencies, devDependencies, optionalDependencies } = manifests.get(folder) ?? { name: '' };
  const forTests = { ...devDependencies, ...manifests.get('.')?.devDependencies };
  const declared = new Set([
    name,
    ...Object.keys({ ...dependencies, ...optionalDependencies, ...(inSource ? {} : forTests) }),
  ]);
  return files
    .filter((file) => file.endsWith('.ts') && workspaceOf(file) === folder)
    .filter((file) => isSource(file) === inSource)
    .flatMap((file) => packagesIn(file).map((found) => ({ file, found })))
    .filter(({ found }) => !declared.has(found))
    .map(({ file, found }) => `${file}: ${found}`);
}

describe.each(folders)('%s', (folder) => {
  test('declares what its sources import in `dependencies`', () => {
    expect(undeclared(folder, true)).toEqual([]);
  });

  test('declares what its tests and configuration import', () => {
    expect(undeclared(folder, false)).toEqual([]);
  });
});

test('the images are built from all workspaces of package-lock.json', () => {
  const shown = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const isShown = (folder: string) =>
    shown.includes(`!${folder}/package.json`) || shown.includes(`!${folder.split('/')[0]}`);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const workspaces = Object.keys(packages).filter(
    (folder) => folder !== '' && !folder.includes('node_modules/'),
  );
  expect(workspaces).toContain('sdk');
  expect(workspaces.filter((folder) => !isShown(folder))).toEqual([]);
});

test('packages have no dependency cycles', () => {
  const byName = new Map([...manifests.values()].map((manifest) => [manifest.name, manifest]));
  const cycles: string[] = [];
  function walk(name: string, way: readonly string[]): void {
    if (way.includes(name)) {
      cycles.push([...way.slice(way.indexOf(name)), name].join(' → '));
      return;
    }
    const { dependencies, devDependencies } = byName.get(name) ?? {};
    for (const next of Object.keys({ ...dependencies, ...devDependencies }))
      if (byName.has(next)) walk(next, [...way, name]);
  }
  for (const folder of folders) walk(manifests.get(folder)?.name ?? '', []);
  expect(cycles).toEqual([]);
});
