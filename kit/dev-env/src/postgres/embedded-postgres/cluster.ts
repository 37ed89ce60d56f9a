import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { readNonEmptyFile, writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';
import { type Account, canEnter } from './account.ts';
import type { Binaries } from './binaries.ts';
import { sharedFolder } from './shared-folder.ts';

/** The role, and the prefix of the databases' names. */
export const ROLE = 'gatehouse';

/**
 * Returns DATA_DIR/postgres: a folder with data/ (PostgreSQL's own) and files that only this process touches. Creates
 * it if missing. If PostgreSQL's account cannot enter DATA_DIR (root's clone in /root, or in a private home), the
 * folder is created in the shared folder, with a symlink in DATA_DIR.
 */
export async function clusterHome(
  dataDir: string,
  account: Account,
  log: (line: string) => void,
): Promise<string> {
  const home = join(dataDir, 'postgres');
  const found = await lstat(home).catch(() => undefined);
  if (found === undefined) await makeHome(dataDir, home, account, log);
  const real = await realpath(home).catch((cause) => {
    throw new Error(
      `${home} points to a folder that is gone; remove the link to begin with an empty database`,
      {
        cause,
      },
    );
  });
  if (!canEnter(real, account))
    throw new Error(`PostgreSQL's account (uid ${account.uid}) cannot enter ${real}`);
  return real;
}

async function makeHome(
  dataDir: string,
  home: string,
  account: Account,
  log: (line: string) => void,
): Promise<void> {
  if (canEnter(dataDir, account)) {
    await mkdir(home, { recursive: true });
    return chmod(home, 0o711); // Independent of the umask, because PostgreSQL passes through it to data/.
  }
  const elsewhere = await mkdtemp(join(await sharedFolder(), 'cluster-'));
  await chmod(elsewhere, 0o711);
  await symlink(elsewhere, home);
  log(`PostgreSQL's account cannot enter ${dataDir}: the database is in ${elsewhere}`);
}

/** Creates the cluster if there is none; returns the role's password. */
export async function initialise(home: string, binaries: Binaries, account: Account): Promise<string> {
  const data = join(home, 'data');
  const passwordFile = join(home, 'password');
  if (existsSync(data)) {
    await checkVersion(data, binaries);
    const kept = readNonEmptyFile(passwordFile);
    if (kept === undefined)
      throw new Error(
        `${passwordFile}, with the password of the database in ${data}, is gone or empty: restore it, or remove ${home} to begin with an empty database`,
      );
    return kept;
  }
  const draft = `${data}.new`;
  const password = randomBytes(24).toString('base64url');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  writeFilesAtomically([{ path: passwordFile, text: password }]);
  await writeSecret(`${passwordFile}.new`, password);
  for (const path of [draft, `${passwordFile}.new`]) await give(path, account);
  try {
    runInitdb(binaries, account, draft, `${passwordFile}.new`);
  } finally {
    await rm(`${passwordFile}.new`);
  }
  await rename(draft, data); // The last step, so that an interrupted start leaves nothing that looks complete.
  return password;
}

function runInitdb(binaries: Binaries, account: Account, data: string, passwordFile: string): void {
  const args = [
    ...['--pgdata', data, '--username', ROLE, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // The builtin provider sorts the same on every machine, without system locales.
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-instructions',
  ];
  const { status, stderr, error } = spawnSync(join(binaries.folder, 'bin/initdb'), args, {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr.trim()}`);
}

async function checkVersion(data: string, binaries: Binaries): Promise<void> {
  const made = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (made !== binaries.version.split('.')[0]) {
    throw new Error(
      `${data} was made by PostgreSQL ${made}, and this is ${binaries.version}; dump and restore it`,
    );
  }
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
}

async function give(path: string, account: Account): Promise<void> {
  if (account.uid !== undefined) await chown(path, account.uid, account.gid);
}
