import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TOOLCHAIN = fileURLToPath(new URL('../../../../.toolchain/', import.meta.url));

export interface PipFolder {
  /**
   * The folder's name. It includes whatever makes the contents differ, such as versions of the package and of Python.
   */
  readonly name: string;
  /** A requirements file with versions and hashes, which pip verifies. */
  readonly requirements: string;
  /** Rejects if the folder's contents do not work. */
  works(folder: string): Promise<unknown>;
}

/**
 * Returns a folder in .toolchain/ that pip fills on first use. Concurrent use is safe. Rejects if that is not
 * possible.
 */
export async function pipFolder({ name, requirements, works }: PipFolder): Promise<string> {
  const folder = join(TOOLCHAIN, name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`fetching ${name} with pip\n`);
  await mkdir(TOOLCHAIN, { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    const what = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', requirements];
    const how = ['--quiet', '--disable-pip-version-check', '--no-compile', '--target', draft];
    await run('python3', ['-m', 'pip', 'install', ...how, ...what]);
    await works(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // Another run was faster.
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
