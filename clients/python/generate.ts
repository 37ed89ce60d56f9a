import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Not the RPCs for operators beside it, which callers may not call. */
const CONTRACT = 'proto/gatehouse/ratelimit/v1/ratelimit.proto';
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Writes the contract's Python code below a folder. Returns false, with the reason on standard error, without Python. */
export async function generatePython(folder: string): Promise<boolean> {
  const tools = await pythonPackages({
    of: 'the generated Python code',
    python: 'python3 (3.11 to 3.14)',
    requirements: fileOf('requirements-generate.txt'),
    modules: ['grpc_tools.protoc'],
    folderName: (digest, version) => `grpcio-tools-${digest}-python-${version}`,
  });
  if (tools === undefined) return false;
  const template = ['--template', fileOf('buf.gen.yaml'), '--path', CONTRACT];
  await promisify(execFile)('buf', ['generate', 'proto', ...template, '--output', folder], {
    cwd: ROOT,
    env: { ...pythonEnvironment(tools), PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` },
  });
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await generatePython(fileOf('.'))) ? 0 : 1;
}
