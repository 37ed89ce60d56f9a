import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPackages,
  buildPythonClient,
  type PythonClient,
} from '../../../release/pack/build-python-client.ts';
import { useAnyStack } from '../../support/stack.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PYTHON = fileOf('../../../sdk/python/');
const REFERENCE = fileOf('../../../services/web/dist/docs/reference');

const build = await buildPackages();
const dependencies = await pythonPackages({
  of: 'the Python client of the HTTP API',
  python: 'python3 (3.11 to 3.14)',
  requirements: join(PYTHON, 'requirements.txt'),
  modules: ['httpx', 'attrs'],
  folderName: (digest, version) => `httpx-${digest}-python-${version}`,
});

describe.skipIf(build === undefined || dependencies === undefined)('the Python client', () => {
  const stack = useAnyStack();
  let folder: string;
  let client: PythonClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-python-client-'));
    client = await buildPythonClient(build ?? '', folder);
    await execFileAsync('python3', ['-m', 'venv', '--without-pip', join(folder, 'environment')]);
    const install = [
      '-m',
      'pip',
      '--disable-pip-version-check',
      'install',
      '--quiet',
      '--no-deps',
      '--no-index',
    ];
    await execFileAsync('python3', [...install, '--target', join(folder, 'site'), client.wheel]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs Python in an environment that has the wheel and its pinned dependencies alone. */
  async function python(...args: readonly string[]): Promise<string> {
    const env = pythonEnvironment([join(folder, 'site'), dependencies].join(':'));
    const { stdout } = await execFileAsync(join(folder, 'environment/bin/python'), [...args], { env });
    return stdout;
  }

  function newAccount(): [api: string, email: string, username: string] {
    const username = `u_${randomBytes(8).toString('hex')}`;
    return [`${stack.url}/api/v1`, `${username}@example.com`, username];
  }

  it('is generated without a warning about the document', () => {
    expect(client.warnings).toBe('');
  });

  it('registers, logs in, posts, reads, lists, executes a webhook and gets typed errors, by threads and by asyncio', async () => {
    const output = JSON.parse(await python(fileOf('python-client.py'), ...newAccount()));
    const { version } = JSON.parse(await readFile(fileOf('../../../package.json'), 'utf8'));
    expect(output).toEqual({ version, requires: ['attrs>=22.2', 'httpx<0.29,>=0.23.1'] });
  });

  it('runs the program of its README', async () => {
    const [api, email, username] = newAccount();
    const password = 'correct horse battery staple';
    await stack.api.post('/auth/register', { email, username, password });
    const readme = await readFile(join(PYTHON, 'README.md'), 'utf8');
    const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(readme) ?? [];
    const changed = program.replace('http://127.0.0.1:8080/api/v1', api).replace('ann@example.com', email);
    expect(await python('-c', changed)).toBe(`Hello, ${username}!\n`);
  });

  it('runs the Python example of every operation in the reference', async () => {
    const { examples, failed } = JSON.parse(await python(fileOf('docs-examples.py'), REFERENCE));
    expect(failed).toEqual([]);
    expect(examples).toBeGreaterThan(100);
  });
});
