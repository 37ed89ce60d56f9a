import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Changeset, withEntry } from './changelog.ts';

interface ReleasePlan {
  readonly changesets: readonly Changeset[];
  readonly releases: readonly { readonly newVersion: string }[];
}

/** Files beside the packages that name the version. */
const NAMING_VERSION = [
  'deploy/Dockerfile',
  'deploy/README.md',
  'deploy/k8s/README.md',
  'deploy/k8s/components/images/kustomization.yaml',
  'sdk/python/pyproject.toml',
];

/** The version of all packages. */
export function currentVersion(root: string): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/**
 * Gives all packages the version that the changesets in .changeset/ ask for, writes their texts to CHANGELOG.md, and
 * removes them. Without changesets nothing happens.
 *
 * @returns the version now
 */
export function applyChangesets(root: string): string {
  const before = currentVersion(root);
  if (!readdirSync(join(root, '.changeset')).some((file) => file.endsWith('.md'))) return before;
  const { changesets, releases } = releasePlan(root);
  const version = releases[0]?.newVersion ?? before;
  changeset(root, 'version');
  edit(join(root, 'package.json'), (text) => text.replace(/("version": ")[^"]+/, `$1${version}`));
  for (const file of NAMING_VERSION) edit(join(root, file), (text) => text.replaceAll(before, version));
  edit(join(root, 'CHANGELOG.md'), (text) => withEntry(text, version, changesets));
  run(root, 'npm', ['install', '--package-lock-only', '--ignore-scripts']);
  return version;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function releasePlan(root: string): ReleasePlan {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  const file = join(folder, 'plan.json');
  try {
    changeset(root, 'status', `--output=${file}`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function changeset(root: string, ...args: string[]): void {
  run(root, join(root, 'node_modules/.bin/changeset'), args);
}

function run(root: string, program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`);
}
