import { fileURLToPath } from 'node:url';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface SchemathesisRun {
  /** URL of the stack, without /api/v1. */
  readonly url: string;
  /** Share of the cases of the coverage phase, which has no bound of its own. */
  readonly coverage_share: number;
  /** Its command line, after the document. */
  readonly options: readonly string[];
}

/** The folder with Schemathesis; undefined, with a message, without Python and pip. */
export function schemathesisFolder(): Promise<string | undefined> {
  return pythonPackages({
    of: 'Schemathesis',
    python: 'python3 (3.11 to 3.14)',
    requirements: fileOf('schemathesis-requirements.txt'),
    modules: ['schemathesis'],
    folderName: (digest, version) => `schemathesis-${digest}-python-${version}`,
  });
}

/** The arguments of python3, and the environment and folder to run it in. */
export function schemathesisCommand(folder: string, { url, coverage_share, options }: SchemathesisRun) {
  const api = `${url}/api/v1`;
  const document = fileOf('../../gateway/openapi.json');
  const environment = pythonEnvironment(folder);
  return {
    args: ['-m', 'schemathesis.cli', 'run', document, '--url', api, ...options],
    cwd: fileOf('.'),
    env: {
      ...environment,
      PYTHONPATH: `${environment.PYTHONPATH}:${fileOf('.')}`,
      GATEHOUSE_API: api,
      GATEHOUSE_COVERAGE_SHARE: String(coverage_share),
    },
  };
}
