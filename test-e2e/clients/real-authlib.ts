import { execFile, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dieWithParent } from '@gatehouse/dev-env/die-with-parent';
import { pipFolder } from '@gatehouse/dev-env/pip-folder';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await authlibFolder();

/** For describe.skipIf. */
export const authlibIsMissing = folder === undefined;

/** authlib-client.py, which says what it did and reads what to do. */
export interface RealAuthlib {
  /** What it says next. The caller names the shape, and its test asserts it. */
  next<T>(): Promise<T>;
  say(line: string): void;
  close(): void;
}

export function startAuthlib(settings: object): RealAuthlib {
  if (folder === undefined) throw new Error('there is no Authlib: see above');
  const [program, args] = dieWithParent('KILL', 'python3', [fileOf('authlib-client.py')]);
  const child = spawn(program, args, { env: environmentOf(folder), stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const say = (line: string) => void child.stdin.write(`${line}\n`);
  say(JSON.stringify(settings));
  return {
    next: async () => {
      const { done, value } = await lines.next();
      if (done) throw new Error('authlib-client.py ended; above is what it wrote');
      return JSON.parse(value);
    },
    say,
    close: () => void child.kill('SIGKILL'),
  };
}

/** Undefined where there is no Python with pip, or one that the pinned wheels are not for; it says why. */
async function authlibFolder(): Promise<string | undefined> {
  try {
    const asked = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'];
    const version = (await run('python3', asked)).stdout.trim();
    const requirements = fileOf('authlib-requirements.txt');
    const digest = hash('sha256', await readFile(requirements)).slice(0, 8);
    return await pipFolder({
      name: `authlib-${digest}-python-${version}`,
      requirements,
      works: (draft) =>
        run('python3', ['-c', 'import authlib.integrations.requests_client'], { env: environmentOf(draft) }),
    });
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of Authlib. Put python3 (3.11 to 3.14) with pip on PATH: ${error}\n`,
    );
    return undefined;
  }
}

/** Its packages before those of the machine; plain http is for tests. */
function environmentOf(packages: string): NodeJS.ProcessEnv {
  const own = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
  return { ...process.env, ...own, AUTHLIB_INSECURE_TRANSPORT: '1' };
}
