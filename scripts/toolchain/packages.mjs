import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from './execute.mjs';
import { withProgress } from './say.mjs';
import { withLock } from './with-lock.mjs';

/** Installs the packages of package-lock.json. */
export async function installPackages(root, env) {
  if (isInstalled(root)) return;
  await withLock(root, async () => {
    if (isInstalled(root)) return;
    // In spite of NODE_ENV: the compiler of the contracts is a development dependency.
    const install = () => execute('npm', ['ci', '--ignore-scripts', '--include=dev'], { cwd: root, env });
    await withProgress('installing the packages (npm ci)', install, () => `, ${countPackages(root)}`);
    note(root);
  });
}

const stampOf = (root) => join(root, 'node_modules/.gatehouse-packages');
const lockfileOf = (root) => join(root, 'package-lock.json');

function countPackages(root) {
  const { packages } = JSON.parse(readFileSync(lockfileOf(root), 'utf8'));
  const paths = Object.keys(packages).filter((path) => path.startsWith('node_modules/'));
  const there = paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  return `${there} of at most ${paths.length} packages`;
}

/** The stamp is fast to check; npm's own record of the tree covers an install by hand. */
function isInstalled(root) {
  const lockfile = readFileSync(lockfileOf(root));
  if (read(stampOf(root)) === hash(lockfile)) return true;
  if (!agrees(JSON.parse(lockfile.toString()), read(join(root, 'node_modules/.package-lock.json'))))
    return false;
  note(root);
  return true;
}

function note(root) {
  writeFileSync(stampOf(root), hash(readFileSync(lockfileOf(root))));
}

function agrees(wanted, record) {
  if (record === undefined) return false;
  const present = JSON.parse(record).packages;
  const missing = Object.entries(wanted.packages).filter(([path, { version, integrity, optional }]) => {
    if (path === '') return false; // The root itself.
    const found = present[path];
    if (found === undefined) return !optional; // Packages for other platforms are not installed.
    return found.version !== version || found.integrity !== integrity;
  });
  return missing.length === 0;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function hash(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
