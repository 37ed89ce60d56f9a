import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** The Python packages of the tests. Undefined without a suitable Python, with the reason on standard error. */
export const testPackages = await pythonPackages({
  of: 'the Python client',
  python: 'python3 (3.11 to 3.14)',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  modules: ['grpc', 'google.rpc.status_pb2', 'pytest', 'setuptools'],
  folderName: (digest, version) => `python-client-${digest}-python-${version}`,
});

/** Builds the wheel, and installs it into an empty folder. */
export async function installClient(): Promise<{ folder: string; remove(): Promise<void> }> {
  if (testPackages === undefined) throw new Error('the Python packages are missing: see above');
  const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-python-client-'));
  const [source, wheels, folder] = ['source', 'wheels', 'site'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  // The build writes beside its sources.
  for (const name of ['src', 'pyproject.toml', 'README.md'])
    await cp(join(PACKAGE, name), join(source, name), { recursive: true });
  const pip = (...args: string[]) =>
    execFileAsync(
      'python3',
      ['-m', 'pip', '--disable-pip-version-check', ...args, '--quiet', '--no-deps', '--no-index'],
      {
        env: pythonEnvironment(testPackages ?? ''),
      },
    );
  await pip('wheel', '--no-build-isolation', '--wheel-dir', wheels, source);
  const [wheel = ''] = await readdir(wheels);
  await pip('install', '--no-compile', '--target', folder, join(wheels, wheel));
  return { folder, remove: () => rm(scratch, { recursive: true }) };
}
