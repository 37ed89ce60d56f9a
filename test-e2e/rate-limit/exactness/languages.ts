import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import type { CallerProgram } from './play.ts';

const run = promisify(execFile);
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The programs that play callers. A language without its tools is skipped with a message. Built ones go to `folder`. */
export async function callerPrograms(folder: string): Promise<readonly CallerProgram[]> {
  const others = await Promise.all([goCaller(folder), pythonCaller()]);
  return [
    nodeCaller('TypeScript, from the .proto files alone', '../callers/plain-caller.ts'),
    nodeCaller('TypeScript', '../callers/client-caller.ts'),
    ...others.filter((program) => program !== undefined),
  ];
}

function nodeCaller(language: string, path: string): CallerProgram {
  return { language, command: process.execPath, args: [pathOf(path)] };
}

async function goCaller(folder: string): Promise<CallerProgram | undefined> {
  const command = join(folder, 'caller');
  try {
    // In the client's module, so that it needs no module of its own.
    const module = pathOf('../../../clients/go');
    await run('go', ['build', '-C', module, '-o', command, pathOf('../callers/caller.go')]);
    return { language: 'Go', command, args: [] };
  } catch (error) {
    process.stderr.write(`SKIPPED: callers in Go. Put go on PATH, with access to its modules: ${error}\n`);
    return undefined;
  }
}

async function pythonCaller(): Promise<CallerProgram | undefined> {
  const folder = await pythonPackages({
    of: 'callers in Python',
    python: 'python3 (3.11 to 3.14)',
    requirements: pathOf('../../../clients/python/tests/requirements.txt'),
    modules: ['grpc', 'google.rpc.status_pb2'],
    folderName: (digest, version) => `python-client-${digest}-python-${version}`,
  });
  if (folder === undefined) return undefined;
  const env = pythonEnvironment([pathOf('../../../clients/python/src'), folder].join(delimiter));
  return { language: 'Python', command: 'python3', args: [pathOf('../callers/caller.py')], env };
}
