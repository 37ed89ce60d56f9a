import { fileURLToPath } from 'node:url';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { type ClientProcess, startClientProcess } from './client-process.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await pythonPackages({
  of: 'Authlib and requests-oauthlib',
  python: 'python3 (3.11 to 3.14)',
  requirements: fileOf('oauth2-requirements.txt'),
  modules: ['authlib.integrations.requests_client', 'requests_oauthlib'],
  folderName: (digest, version) => `oauth2-clients-${digest}-python-${version}`,
});

/** Plain HTTP is for tests only. */
const PLAIN_HTTP = { AUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' };

/** Whether Authlib and requests-oauthlib are missing, for describe.skipIf. */
export const pythonOauth2IsMissing = folder === undefined;

/** Starts a script of this folder. */
export function startPython(script: string, settings: object): ClientProcess {
  if (folder === undefined) throw new Error('the Python packages are missing: see above');
  return startClientProcess(
    'python3',
    [fileOf(script)],
    { ...pythonEnvironment(folder), ...PLAIN_HTTP },
    settings,
  );
}
