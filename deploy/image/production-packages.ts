import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

/**
 * A workspace and its runtime dependencies: workspaces and installed packages, recursively. Unlike
 * `npm install --omit=dev` it leaves out optional peers and development dependencies of workspaces.
 * @returns their folders, from the root
 */
export function productionPackages(root: string, folder: string): string[] {
  const found = new Set<string>();
  visit(folder);
  return [...found];

  function visit(one: string): void {
    if (found.has(one)) return;
    found.add(one);
    const manifest = readManifest(join(root, one));
    for (const { name, optional } of needsOf(manifest)) {
      const needed = find(root, one, name);
      if (needed !== undefined) visit(needed);
      else if (!optional) throw new Error(`${one} needs ${name}, which is not installed`);
    }
  }
}

function needsOf(manifest: Manifest): { name: string; optional: boolean }[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [
    // npm also lists optional dependencies among the others. Those for other platforms are not installed.
    ...[...Object.keys(dependencies), ...peers].map((name) => ({
      name,
      optional: name in optionalDependencies,
    })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, optional: true })),
  ];
}

/** Resolves like Node; for a workspace, its own folder. */
function find(root: string, from: string, name: string): string | undefined {
  for (let folder = join(root, from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json')))
      return relative(realpathSync(root), realpathSync(candidate));
    if (relative(root, folder) === '') return undefined;
  }
}
