import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with only PATH and the compile cache in its environment. `input` is its standard input. */
export async function runScript(
  script: string,
  args: readonly string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ended> {
  const flags = ['--disable-warning=ExperimentalWarning', script, ...args];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, flags, { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...output };
}
