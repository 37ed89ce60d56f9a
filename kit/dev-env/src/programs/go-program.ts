import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnPath } from './apt.ts';
import { execFileAsync } from './exec-file.ts';
import { TOOLCHAIN_FOLDER } from './toolchain-folder.ts';

export interface GoProgram {
  readonly name: string;
  /** The package with its `main`. */
  readonly path: string;
  readonly version: string;
}

/**
 * Finds a third-party program for tests: on PATH, else built by Go into .toolchain/ on first use. Concurrent builds
 * are safe. Go verifies downloads with its checksum database. Undefined, with a message, without Go or the sources.
 */
export async function goProgram({ name, path, version }: GoProgram): Promise<string | undefined> {
  const folder = join(TOOLCHAIN_FOLDER, `${name}-${version}`);
  const program = join(folder, name);
  if (isOnPath(name)) return name;
  if (existsSync(program)) return program;
  try {
    await execFileAsync('go', ['version']);
    process.stderr.write(`building ${name} ${version} with go\n`);
    await mkdir(TOOLCHAIN_FOLDER, { recursive: true });
    const draft = await mkdtemp(`${folder}.`);
    try {
      const env = { ...process.env, GOBIN: draft, GOFLAGS: '-modcacherw', CGO_ENABLED: '0' };
      await execFileAsync('go', ['install', `${path}@${version}`], { env });
      await rename(draft, folder).catch((error: unknown) => {
        if (!existsSync(program)) throw error; // Another run was faster.
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return program;
  } catch (error) {
    process.stderr.write(`SKIPPED: the tests of ${name}. Put go (1.21 or later) on PATH: ${error}\n`);
    return undefined;
  }
}
