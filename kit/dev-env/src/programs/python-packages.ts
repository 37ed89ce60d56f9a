import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { pipFolder } from './pip-folder.ts';

const run = promisify(execFile);

interface PythonPackages {
  /** For the message about skipped tests: "slack_sdk". */
  readonly of: string;
  /** For that message: the Python that the packages support. */
  readonly python: string;
  /** Path of the pinned requirements. */
  readonly requirements: string;
  /** Modules that must be importable. */
  readonly modules: readonly string[];
  /** Name of the folder, by the digest of the requirements and the version of Python. */
  folderName(digest: string, version: string): string;
}

/**
 * Installs Python packages with pip, once per machine. Returns their folder; undefined without a suitable Python and
 * pip, with the reason on standard error.
 */
export async function pythonPackages(packages: PythonPackages): Promise<string | undefined> {
  const { of, python, requirements, modules, folderName } = packages;
  try {
    const printVersion = 'import sys; print("%d.%d" % sys.version_info[:2], end="")';
    const { stdout: version } = await run('python3', ['-c', printVersion]);
    const digest = hash('sha256', await readFile(requirements)).slice(0, 8);
    return await pipFolder({
      name: folderName(digest, version),
      requirements,
      prepare: (draft) =>
        run('python3', ['-c', `import ${modules.join(', ')}`], { env: pythonEnvironment(draft) }),
    });
  } catch (error) {
    process.stderr.write(`SKIPPED: the tests of ${of}. Put ${python} with pip on PATH: ${error}\n`);
    return undefined;
  }
}

/** The environment in which Python finds these packages before the machine's. */
export function pythonEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
}
