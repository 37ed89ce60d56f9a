import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The Go client of ratelimit, and the examples that use it. */
export const GO_CLIENT = `${ROOT}clients/go`;
export const GO_EXAMPLES = [`${ROOT}examples/go-http`, `${ROOT}examples/go-grpc`] as const;

/** Runs the command `go`, and returns its standard output. @throws Error with all output if it fails */
export async function go(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const options = {
      cwd: folder,
      // The modules that go.sum pins, and the installed Go.
      env: { ...process.env, GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local', CGO_ENABLED: '0', ...env },
      maxBuffer: 16 << 20,
    };
    return (await execFileAsync('go', [...args], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`go ${args.join(' ')} in ${folder}:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Whether Go builds the modules here. If not, the reason goes to standard error. */
export async function hasGo(): Promise<boolean> {
  try {
    await execFileAsync('go', ['version']);
    for (const folder of [GO_CLIENT, ...GO_EXAMPLES]) await go(folder, ['build', './...']);
    return true;
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of ratelimit’s Go client. Put go (1.26 or later) on PATH: ${error}\n`,
    );
    return false;
  }
}
