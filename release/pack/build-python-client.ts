import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { documentForPython } from './document-for-python.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../sdk/python/${name}`, import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../gateway/openapi.json', import.meta.url));

/** The generator's warnings about the document, and the wheel. */
export interface PythonClient {
  readonly wheel: string;
  readonly warnings: string;
}

/** The generator and setuptools; undefined without a suitable Python, with the reason on standard error. */
export function buildPackages(): Promise<string | undefined> {
  return pythonPackages({
    of: 'the Python client of the HTTP API',
    python: 'python3 (3.11 to 3.14)',
    requirements: fileOf('requirements-build.txt'),
    modules: ['openapi_python_client', 'setuptools'],
    folderName: (digest, version) => `openapi-python-client-${digest}-python-${version}`,
  });
}

/** Generates the client from the OpenAPI document, and builds its wheel in `folder`. */
export async function buildPythonClient(packages: string, folder: string): Promise<PythonClient> {
  const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-python-'));
  const [document, source] = [join(scratch, 'openapi.json'), join(scratch, 'source')];
  const found = pythonEnvironment(packages);
  const env = { ...found, PATH: [join(packages, 'bin'), found.PATH].join(delimiter) }; // the generator formats with ruff
  const python = (...args: string[]) => execFileAsync('python3', ['-m', ...args], { cwd: scratch, env });
  try {
    await mkdir(join(source, 'src'), { recursive: true });
    for (const name of ['pyproject.toml', 'README.md']) await cp(fileOf(name), join(source, name));
    await writeFile(
      document,
      JSON.stringify(documentForPython(JSON.parse(await readFile(DOCUMENT, 'utf8')))),
    );
    const settings = ['--config', fileOf('openapi-python-client.yaml'), '--meta', 'none'];
    const output = ['--path', document, '--output-path', join(source, 'src/gatehouse')];
    const { stdout, stderr } = await python('openapi_python_client', 'generate', ...settings, ...output);
    const [wheels, pip] = [join(scratch, 'wheels'), ['pip', '--disable-pip-version-check', '--quiet']];
    await python(...pip, 'wheel', '--no-deps', '--no-index', '--no-build-isolation', '-w', wheels, source);
    const [name = ''] = await readdir(wheels);
    await cp(join(wheels, name), join(folder, name));
    return { wheel: join(folder, name), warnings: warningsIn(stdout + stderr) };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** What the generator says besides its progress. */
function warningsIn(output: string): string {
  return output.replace(/^Generating .*$/m, '').trim();
}
