import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pipFolder } from '@gatehouse/dev-env/programs/pip-folder';
import { type ClientProcess, startClientProcess } from './client-process.ts';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await packages();

/** Whether Authlib and requests-oauthlib are missing, for describe.skipIf. */
export const pythonOauth2IsMissing = folder === undefined;

/** Starts a script of this folder. */
export function startPython(script: string, settings: object): ClientProcess {
  if (folder === undefined) throw new Error('the Python packages are missing: see above');
  return startClientProcess('python3', [fileOf(script)], environmentOf(folder), settings);
}

/** Undefined without Python and pip, or if the pinned wheels do not support it; the reason goes to standard error. */
async function packages(): Promise<string | undefined> {
  try {
    const asked = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'];
    const version = (await run('python3', asked)).stdout.trim();
    const requirements = fileOf('oauth2-requirements.txt');
    const digest = hash('sha256', await readFile(requirements)).slice(0, 8);
    const imports = 'import authlib.integrations.requests_client, requests_oauthlib';
    return await pipFolder({
      name: `oauth2-clients-${digest}-python-${version}`,
      requirements,
      works: (draft) => run('python3', ['-c', imports], { env: environmentOf(draft) }),
    });
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of Authlib and requests-oauthlib. Put python3 (3.11 to 3.14) with pip on PATH: ${error}\n`,
    );
    return undefined;
  }
}

/** Its own packages come before the machine's; plain HTTP is for tests only. */
function environmentOf(packages: string): NodeJS.ProcessEnv {
  const own = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
  const plain = { AUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' };
  return { ...process.env, ...own, ...plain };
}
